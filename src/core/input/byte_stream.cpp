// SPDX-License-Identifier: MIT
#include "core/input/byte_stream.h"

#include "core/system_call.h"

#include <sys/stat.h>

#include <algorithm>
#include <utility>

namespace mugrad {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 18;
/// Between questions whether to go on while a pipe has no bytes.
constexpr int kPatienceMilliseconds = 100;

}  // namespace

ByteStream::ByteStream(Descriptor file, std::string name, Stages& stages)
    : file_(std::move(file)), name_(std::move(name)), stages_(stages), buffer_(kBufferBytes) {
  struct stat status {};
  if (fstat(file_.number(), &status) != 0) fail_to_read(name_, reason_of(errno));
  is_regular_ = S_ISREG(status.st_mode);
  if (!is_regular_) return;
  position_ = std::max<off_t>(0, lseek(file_.number(), 0, SEEK_CUR));
  size_ = std::max<Index>(0, status.st_size - position_);
}

std::string_view ByteStream::first(std::size_t size) {
  while (filled_ < size && fill()) continue;
  return {buffer_.data(), filled_};
}

std::string_view ByteStream::first_line() {
  const auto has_newline = [&] {
    return std::string_view(buffer_.data(), filled_).find('\n') != std::string_view::npos;
  };
  while (!has_newline() && fill()) continue;
  return {buffer_.data(), filled_};
}

bool ByteStream::is_ready() const {
  if (filled_ > 0 || is_regular_) return true;
  pollfd ready{.fd = file_.number(), .events = POLLIN, .revents = 0};
  return poll(&ready, 1, 0) > 0;
}

std::string_view ByteStream::next() {
  if (filled_ == 0) fill();
  const auto count = std::exchange(filled_, 0);
  taken_ += as_index(count);
  return {buffer_.data(), count};
}

double ByteStream::share_taken() const noexcept {
  // The file may have grown.
  return has_known_size() ? std::min(1.0, share_of(taken_, size_)) : 0;
}

bool ByteStream::fill() {
  const auto count = read_into(std::span(buffer_).subspan(filled_));
  filled_ += count;
  return count > 0;
}

void ByteStream::wait_for_bytes() {
  pollfd ready{.fd = file_.number(), .events = POLLIN, .revents = 0};
  while (true) {
    const int found = poll(&ready, 1, kPatienceMilliseconds);
    if (found > 0) return;
    if (found == -1 && errno != EINTR) fail_to_read(name_, reason_of(errno));
    stages_.check();
  }
}

std::size_t ByteStream::read_into(std::span<char> to) {
  while (true) {
    ssize_t count = 0;
    if (is_regular_) {
      count = retried([&] { return pread(file_.number(), to.data(), to.size(), position_); });
      position_ += std::max<ssize_t>(count, 0);
    } else {
      wait_for_bytes();
      count = read(file_.number(), to.data(), to.size());
    }
    if (count != -1) return as_size(count);
    // Another reader of the same pipe may have been faster, or a signal came.
    if (errno != EAGAIN && errno != EINTR) fail_to_read(name_, reason_of(errno));
  }
}

}  // namespace mugrad

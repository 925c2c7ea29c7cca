// SPDX-License-Identifier: MIT
#include "core/input/live_text.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <new>

namespace mugrad {
namespace {

/// More than any pipe gives, and a fraction of the addresses that a process has.
constexpr std::size_t kReserved = std::size_t{1} << 44;
/// Bytes in memory: a row, and what was read behind it.
constexpr std::size_t kMostKept = std::size_t{1} << 30;
constexpr std::size_t kWritableStep = std::size_t{1} << 22;

/// A mapping without memory.
void* reserve(void* at, std::size_t size, int protection, int flags) noexcept {
  return mmap(at, size, protection, flags | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

}  // namespace

std::unique_ptr<LiveText> LiveText::of(ByteStream&& stream) {
  void* const begin = reserve(nullptr, kReserved, PROT_NONE, 0);
  if (begin == MAP_FAILED) return nullptr;
  std::unique_ptr<LiveText> text(new LiveText(std::move(stream), static_cast<char*>(begin)));
  text->grow();
  return text;
}

LiveText::~LiveText() { munmap(begin_, kReserved); }

bool LiveText::grow() {
  const auto bytes = stream_.next();
  if (bytes.empty()) return false;
  if (size_ - released_ + bytes.size() > kMostKept || size_ + bytes.size() > kReserved) {
    throw InputError(
        fmt::format("{} has a row of more than 1 GiB, which is too much for a row that is read as "
                    "it comes: write the text to a file and name that",
                    stream_.name()));
  }
  allow_writing(size_ + bytes.size());
  std::memcpy(begin_ + size_, bytes.data(), bytes.size());
  size_ += bytes.size();
  return true;
}

void LiveText::allow_writing(std::size_t size) {
  if (size <= writable_) return;
  const auto more = (size - writable_ + kWritableStep - 1) / kWritableStep * kWritableStep;
  if (mprotect(begin_ + writable_, more, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
  writable_ += more;
}

void LiveText::release_before(const char* at) noexcept {
  const auto page = as_size(sysconf(_SC_PAGESIZE));
  const auto end = as_size(at - begin_) / page * page;
  if (end <= released_) return;
  // If this fails, only more memory stays in use.
  reserve(begin_ + released_, end - released_, PROT_READ, MAP_FIXED);
  released_ = end;
}

}  // namespace mugrad

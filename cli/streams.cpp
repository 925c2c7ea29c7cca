// SPDX-License-Identifier: MIT
#include "streams.h"

#include <mugrad/core/error.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace mugrad::cli {
namespace {

/// While one exists, writing to a pipe that nobody reads sends this thread no SIGPIPE.
class NoSigpipe {
 public:
  NoSigpipe() noexcept {
    sigemptyset(&sigpipe_);
    sigaddset(&sigpipe_, SIGPIPE);
    sigset_t pending;
    sigemptyset(&pending);
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &sigpipe_, &before_);
  }
  ~NoSigpipe() {
    const timespec at_once = {};
    if (!was_pending_) sigtimedwait(&sigpipe_, nullptr, &at_once);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoSigpipe(const NoSigpipe&) = delete;
  NoSigpipe& operator=(const NoSigpipe&) = delete;

 private:
  sigset_t sigpipe_;
  sigset_t before_;
  bool was_pending_ = false;
};

/// Whether the write that has just failed is worth another try.
bool can_try_again(int descriptor) noexcept {
  if (errno == EINTR) return true;
  if (errno != EAGAIN) return false;
  pollfd ready{.fd = descriptor, .events = POLLOUT, .revents = 0};
  return poll(&ready, 1, -1) > 0 || errno == EINTR;
}

[[noreturn]] void fail_to_write() {
  throw InputError(fmt::format("cannot write to standard output: {}",
                               errno == EBADF ? "it is closed" : std::strerror(errno)));
}

}  // namespace

void take_standard_streams() noexcept {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
    // The lowest that is free is this one. By a path alone nothing can be read or written, and
    // /dev/stdout cannot be opened for writing either, as it could if this were /dev/null.
    (void)open("/", O_PATH | O_DIRECTORY);
  }
}

void write_message(std::string_view text) noexcept {
  const NoSigpipe none;
  while (!text.empty()) {
    const auto written = write(STDERR_FILENO, text.data(), text.size());
    if (written > 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (written == 0 || !can_try_again(STDERR_FILENO)) {
      return;
    }
  }
}

void write_result(std::string_view text) {
  while (!text.empty()) {
    const auto written = write(STDOUT_FILENO, text.data(), text.size());
    if (written > 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (written == 0 || !can_try_again(STDOUT_FILENO)) {
      fail_to_write();
    }
  }
}

void finish_result() {
  // Some file systems say only when a file is closed that they could not store it.
  const int copy = dup(STDOUT_FILENO);
  if (copy != -1 && close(copy) != 0) fail_to_write();
}

}  // namespace mugrad::cli

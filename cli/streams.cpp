// SPDX-License-Identifier: MIT
#include "core/system_call.h"
#include "process.h"

#include <mugrad/core/error.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace mugrad::cli {
namespace {

/// Suppresses SIGPIPE of this thread for writes to a pipe that nobody reads.
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

[[noreturn]] void fail_to_write() {
  throw InputError(fmt::format("cannot write to standard output: {}",
                               errno == EBADF ? "it is closed" : std::strerror(errno)));
}

}  // namespace

void take_standard_streams() noexcept {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
    // This one is the lowest free descriptor. O_PATH allows neither reading nor writing, and unlike
    // with /dev/null, /dev/stdout cannot be opened for writing either.
    (void)open("/", O_PATH | O_DIRECTORY);
  }
}

void write_message(std::string_view text) noexcept {
  const NoSigpipe none;
  while (!text.empty()) {
    const auto written = write_some(STDERR_FILENO, text);
    if (written <= 0) return;
    text.remove_prefix(as_size(written));
  }
}

void write_result(std::string_view text) {
  while (!text.empty()) {
    const auto written = write_some(STDOUT_FILENO, text);
    if (written <= 0) fail_to_write();
    text.remove_prefix(as_size(written));
  }
}

void finish_result() {
  // Some file systems report only at closing that they could not store a file.
  const int copy = dup(STDOUT_FILENO);
  if (copy != -1 && close(copy) != 0) fail_to_write();
}

}  // namespace mugrad::cli

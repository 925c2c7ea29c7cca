// SPDX-License-Identifier: MIT
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

namespace mugrad {

/// The result of a system call, repeated while signals interrupt it.
template <class Call>
auto retried(Call call) {
  auto result = call();
  while (result == -1 && errno == EINTR) result = call();
  return result;
}

/// Writes some of the bytes; waits if the descriptor is non-blocking. Returns the number written,
/// or -1 and sets errno.
inline ssize_t write_some(int descriptor, std::string_view bytes) {
  while (true) {
    const auto count = retried([&] { return ::write(descriptor, bytes.data(), bytes.size()); });
    if (count != -1 || errno != EAGAIN) return count;
    pollfd ready{.fd = descriptor, .events = POLLOUT, .revents = 0};
    if (retried([&] { return poll(&ready, 1, -1); }) == -1) return -1;
  }
}

/// Opens a file with close-on-exec; the umask reduces the permissions of a new one. The descriptor
/// is never one of the standard streams, even if these are closed, because others write messages
/// there. Returns -1 and sets errno on failure.
inline int open_file(const std::filesystem::path& path, int flags, mode_t permissions = 0666) {
  const int opened = retried([&] { return ::open(path.c_str(), flags | O_CLOEXEC, permissions); });
  if (opened < 0 || opened > STDERR_FILENO) return opened;
  const int moved = fcntl(opened, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int error = errno;
  ::close(opened);
  errno = error;
  return moved;
}

/// The system's message for an errno value: "No space left on device".
inline std::string reason_of(int error) { return std::generic_category().message(error); }

}  // namespace mugrad

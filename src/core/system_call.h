// SPDX-License-Identifier: MIT
#pragma once

#include <cerrno>
#include <string>
#include <system_error>

namespace mugrad {

/// The result of a system call, made again for as long as a signal interrupts it.
template <class Call>
auto retried(Call call) {
  auto result = call();
  while (result == -1 && errno == EINTR) result = call();
  return result;
}

/// The system's words for an errno value: "No space left on device".
inline std::string reason_of(int error) { return std::generic_category().message(error); }

}  // namespace mugrad

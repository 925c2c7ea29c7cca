// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>

namespace mugrad::testing {

/// How a process ended.
struct Ending {
  bool was_reached = false;  ///< it made the system call in question
  int exit_code = -1;        ///< 128 + signal where a signal ended it
};

/// Runs `work` in a process of its own, which may become another program, and kills it right before
/// its `call`-th system call, counted from 1, that can change files: it then has done all those
/// before, and not this one. A process that makes fewer ends by itself.
Ending run_and_kill(int call, const std::function<void()>& work);

/// Runs `work` in a process of its own, stops it right before its `call`-th system call of any kind
/// after the one that opens `file`, calls `meanwhile` and lets it go on.
Ending run_and_stop(int call, const std::filesystem::path& file,
                    const std::function<void()>& meanwhile, const std::function<void()>& work);

}  // namespace mugrad::testing

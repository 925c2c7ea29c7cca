// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

namespace mugrad {

/// Called now and then by work that takes long; throws, as a rule InterruptedError, to end it.
using Checkpoint = std::function<void()>;
/// The same, told what share of the work is done.
using ShareCheckpoint = std::function<void(double share)>;

/// No-op checkpoints.
inline void go_on() {}
inline void go_on_at(double /*share*/) {}
inline const Checkpoint kNoCheckpoint = go_on;  ///< one that can be referred to

}  // namespace mugrad

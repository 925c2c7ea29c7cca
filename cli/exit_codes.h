// SPDX-License-Identifier: MIT
#pragma once

namespace mugrad::cli {

constexpr int kFailed = 1;
constexpr int kWrongCall = 2;
constexpr int kInterrupted = 130;

}  // namespace mugrad::cli

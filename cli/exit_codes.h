// SPDX-License-Identifier: MIT
#pragma once

namespace mugrad::cli {

constexpr int kFailed = 1;
constexpr int kWrongCall = 2;

}  // namespace mugrad::cli

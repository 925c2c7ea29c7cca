// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

namespace mugrad {

/// Throws UsageError naming the first value that is not finite; `what` is what one value is called.
void check_finite(std::span<const double> values, std::string_view what);

}  // namespace mugrad

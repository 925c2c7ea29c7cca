// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace mugrad {

/// What a linear task pays for its scores.
enum class LossKind {
  logistic,  ///< equation (1)
  squared,   ///< equation (2)
};

std::string_view to_string(LossKind loss);
/// Throws UsageError listing the names there are.
LossKind loss_named(std::string_view name);

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#include "experiment/input_checks.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>

#include <cmath>

namespace mugrad {

void check_finite(std::span<const double> values, std::string_view what) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) {
      throw UsageError(fmt::format("{} {} must be a finite number, got {}", what, i, values[i]));
    }
  }
}

}  // namespace mugrad

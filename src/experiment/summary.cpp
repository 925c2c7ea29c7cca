// SPDX-License-Identifier: MIT
#include "experiment/mid_ranks.h"

#include <mugrad/core/error.h>
#include <mugrad/experiment/statistics.h>

#include <cmath>
#include <limits>

namespace mugrad {

Summary summarise(std::span<const double> values) {
  if (values.empty()) throw UsageError("there must be at least one value to summarise, got none");
  check_finite(values, "value");
  const auto count = static_cast<double>(values.size());
  double sum = 0;
  for (const double value : values) sum += value;
  const double mean = sum / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double deviation = values.size() > 1 ? std::sqrt(squares / (count - 1))
                                             : std::numeric_limits<double>::quiet_NaN();
  return {.mean = mean, .deviation = deviation, .count = std::ssize(values)};
}

}  // namespace mugrad

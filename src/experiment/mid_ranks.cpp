// SPDX-License-Identifier: MIT
#include "experiment/mid_ranks.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mugrad {

std::vector<double> mid_ranks(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });

  std::vector<double> ranks(values.size());
  for (std::size_t first = 0, end = 0; first < order.size(); first = end) {
    while (end < order.size() && values[order[end]] == values[order[first]]) ++end;
    const double shared = static_cast<double>(first + 1 + end) / 2;  // of first + 1, ..., end
    for (std::size_t i = first; i < end; ++i) ranks[order[i]] = shared;
  }
  return ranks;
}

void check_finite(std::span<const double> values, std::string_view what) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) {
      throw UsageError(fmt::format("{} {} must be a finite number, got {}", what, i, values[i]));
    }
  }
}

}  // namespace mugrad

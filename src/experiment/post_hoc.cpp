// SPDX-License-Identifier: MIT
#include "experiment/distributions.h"
#include "experiment/mid_ranks.h"

#include <mugrad/core/error.h>
#include <mugrad/experiment/statistics.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace mugrad {
namespace {

void check_comparison(Index methods, Index sets, double alpha) {
  if (methods < 2 || sets < 1) {
    throw UsageError(fmt::format(
        "a critical distance needs at least 2 methods and 1 set, got {} and {}", methods, sets));
  }
  if (!(alpha > 0 && alpha < 1)) {
    throw UsageError(fmt::format("alpha must lie between 0 and 1, got {}", alpha));
  }
}

/// Of the difference of two mean ranks, if all methods perform equally.
double standard_error(Index methods, Index sets) {
  const auto k = static_cast<double>(methods);
  return std::sqrt(k * (k + 1) / (6 * static_cast<double>(sets)));
}

/// Positions of the values in ascending order; ties keep their order.
std::vector<Index> ascending(std::span<const double> values) {
  std::vector<Index> order(values.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, {}, [&](Index i) { return values[as_size(i)]; });
  return order;
}

}  // namespace

double nemenyi_critical_distance(Index methods, Index sets, double alpha) {
  check_comparison(methods, sets, alpha);
  return range_point(alpha, methods) / std::numbers::sqrt2 * standard_error(methods, sets);
}

double bonferroni_dunn_critical_distance(Index methods, Index sets, double alpha) {
  check_comparison(methods, sets, alpha);
  const auto comparisons = static_cast<double>(methods - 1);
  return normal_point(alpha / (2 * comparisons)) * standard_error(methods, sets);
}

std::vector<std::vector<Index>> groups_alike(std::span<const double> mean_ranks, double distance) {
  check_finite(mean_ranks, "mean rank");
  if (!(distance > 0)) throw UsageError(fmt::format("the distance must be > 0, got {}", distance));
  const auto order = ascending(mean_ranks);
  const auto rank = [&](auto place) { return mean_ranks[as_size(*place)]; };

  std::vector<std::vector<Index>> groups;
  auto end = order.begin();
  for (auto first = order.begin(); first != order.end(); ++first) {
    const auto reached = end;
    while (end != order.end() && rank(end) - rank(first) < distance) ++end;
    if (end != reached) groups.emplace_back(first, end);
  }
  return groups;
}

std::vector<double> holm(std::span<const double> p) {
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (!(p[i] >= 0 && p[i] <= 1)) {
      throw UsageError(fmt::format("p {} must lie between 0 and 1, got {}", i, p[i]));
    }
  }
  std::vector<double> adjusted(p.size());
  auto open = static_cast<double>(p.size());  // hypotheses not rejected yet
  double largest = 0;
  for (const Index i : ascending(p)) {
    const auto at = as_size(i);
    largest = std::max(largest, std::min(1.0, open * p[at]));
    adjusted[at] = largest;
    --open;
  }
  return adjusted;
}

}  // namespace mugrad

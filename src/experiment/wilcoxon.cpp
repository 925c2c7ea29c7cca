// SPDX-License-Identifier: MIT
#include "experiment/distributions.h"
#include "experiment/mid_ranks.h"

#include <mugrad/core/error.h>
#include <mugrad/experiment/statistics.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace mugrad {
namespace {

constexpr std::size_t kMostExactPairs = 50;

/// The probability that a random subset of the ranks sums to at most `statistic`. Tied ranks are
/// multiples of one half, so ranks are doubled. The number of subsets is at most 2^50, which
/// doubles represent exactly. Requires: at most kMostExactPairs ranks, and `statistic` at most half
/// the sum of all.
double exact_tail(std::span<const double> ranks, double statistic) {
  const auto doubled = [](double rank) { return static_cast<std::size_t>(2 * rank); };
  const std::size_t most = doubled(statistic);
  std::array<double, kMostExactPairs*(kMostExactPairs + 1) / 2 + 1> parts{1};  // by doubled sum
  for (const double rank : ranks) {
    for (std::size_t sum = most; sum >= doubled(rank); --sum) {
      parts[sum] += parts[sum - doubled(rank)];
    }
  }
  double count = 0;
  for (std::size_t sum = 0; sum <= most; ++sum) count += parts[sum];
  return std::ldexp(count, -static_cast<int>(ranks.size()));
}

void check_pairs(std::span<const double> a, std::span<const double> b) {
  if (a.size() != b.size() || a.empty()) {
    throw UsageError(
        fmt::format("pairs need as many values on both sides, at least one, got {} and {}",
                    a.size(), b.size()));
  }
  check_finite(a, "first value");
  check_finite(b, "second value");
}

}  // namespace

Wilcoxon wilcoxon_signed_rank(std::span<const double> a, std::span<const double> b,
                              bool larger_is_better) {
  check_pairs(a, b);
  Wilcoxon result;
  std::vector<double> amounts;
  std::vector<bool> won;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) {
      ++result.ties;
      continue;
    }
    amounts.push_back(std::abs(a[i] - b[i]));
    won.push_back((a[i] > b[i]) == larger_is_better);
    ++(won.back() ? result.wins : result.losses);
  }
  if (amounts.empty()) return result;

  const auto ranks = mid_ranks(amounts);
  double sum_won = 0;
  double sum = 0;
  double squares = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (won[i]) sum_won += ranks[i];
    sum += ranks[i];
    squares += ranks[i] * ranks[i];
  }
  result.statistic = std::min(sum_won, sum - sum_won);

  result.exact = ranks.size() <= kMostExactPairs;
  // Each rank has a random sign: mean sum / 2 and variance squares / 4, including ties.
  const double tail = result.exact
                          ? exact_tail(ranks, result.statistic)
                          : normal_tail((sum / 2 - result.statistic) / std::sqrt(squares / 4));
  result.p = std::min(1.0, 2 * tail);
  return result;
}

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#include "experiment/distributions.h"
#include "experiment/input_checks.h"
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

/// The probability that a random part of the ranks 1 to n sums to at most `statistic`. Counts of
/// parts are at most 2^50, so doubles hold them exactly. Requires: n <= kMostExactPairs, and
/// `statistic` at most half the sum of all ranks.
double exact_tail(std::size_t n, std::size_t statistic) {
  std::array<double, kMostExactPairs*(kMostExactPairs + 1) / 4 + 1> parts{1};  // by their sum
  for (std::size_t rank = 1; rank <= n; ++rank) {
    for (std::size_t sum = statistic; sum >= rank; --sum) parts[sum] += parts[sum - rank];
  }
  double count = 0;
  for (std::size_t sum = 0; sum <= statistic; ++sum) count += parts[sum];
  return std::ldexp(count, -static_cast<int>(n));
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

  const auto n = static_cast<double>(ranks.size());
  const bool distinct = squares == n * (n + 1) * (2 * n + 1) / 6;  // sharing makes it less
  result.exact = distinct && result.ties == 0 && ranks.size() <= kMostExactPairs;
  // Each rank is won or lost evenly: mean sum / 2 and variance squares / 4, ties accounted for.
  const double tail = result.exact
                          ? exact_tail(ranks.size(), static_cast<std::size_t>(result.statistic))
                          : normal_tail((sum / 2 - result.statistic) / std::sqrt(squares / 4));
  result.p = std::min(1.0, 2 * tail);
  return result;
}

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#include "metric/score_order.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mugrad {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Calls fn(score, true, false) for every distinct score, ascending, with the number of true and of
/// false pairs that have it.
template <class Function>
void for_each_score(const ScoresByTruth& scores, const Function& fn) {
  auto next_true = scores.of_true.begin();
  auto next_false = scores.of_false.begin();
  const auto count = [](auto& next, auto end, double score) {
    const auto begin = next;
    while (next != end && *next == score) ++next;
    return static_cast<Index>(next - begin);
  };
  while (next_true != scores.of_true.end() || next_false != scores.of_false.end()) {
    double score = std::numeric_limits<double>::infinity();
    if (next_true != scores.of_true.end()) score = *next_true;
    if (next_false != scores.of_false.end()) score = std::min(score, *next_false);
    const Index of_true = count(next_true, scores.of_true.end(), score);
    const Index of_false = count(next_false, scores.of_false.end(), score);
    fn(score, of_true, of_false);
  }
}

}  // namespace

void ScoresByTruth::clear() noexcept {
  of_true.clear();
  of_false.clear();
}

void ScoresByTruth::sort() {
  std::ranges::sort(of_true);
  std::ranges::sort(of_false);
}

double area_under_roc(const ScoresByTruth& scores) noexcept {
  if (scores.of_true.empty() || scores.of_false.empty()) return kNaN;
  Index false_below = 0;
  double twice_in_order = 0;  // whole numbers, exact up to 2^53
  for_each_score(scores, [&](double, Index of_true, Index of_false) {
    twice_in_order +=
        static_cast<double>(of_true) * static_cast<double>(2 * false_below + of_false);
    false_below += of_false;
  });
  return twice_in_order / 2 /
         (static_cast<double>(scores.of_true.size()) * static_cast<double>(scores.of_false.size()));
}

double calibration_error(const ScoresByTruth& probabilities) noexcept {
  const auto pairs = as_index(probabilities.of_true.size() + probabilities.of_false.size());
  if (pairs == 0) return kNaN;
  Index bin = 0;
  Index below = 0;
  double excess = 0;  // of the bin: the sum of its probabilities, less its true pairs
  double sum = 0;
  for_each_score(probabilities, [&](double probability, Index of_true, Index of_false) {
    const Index tied = of_true + of_false;
    // 0-based ranks of the tied ones: below, ..., below + tied - 1; their middle decides.
    const Index own_bin = kCalibrationBins * (2 * below + tied - 1) / (2 * pairs);
    if (own_bin != bin) {
      sum += std::abs(excess);
      excess = 0;
      bin = own_bin;
    }
    excess += probability * static_cast<double>(tied) - static_cast<double>(of_true);
    below += tied;
  });
  return (sum + std::abs(excess)) / static_cast<double>(pairs);
}

}  // namespace mugrad

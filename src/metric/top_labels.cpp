// SPDX-License-Identifier: MIT
#include "metric/top_labels.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace mugrad {

TopLabels::TopLabels(Index labels, std::span<const Index> at, bool average_ties)
    : average_ties_(average_ties) {
  if (at.empty()) return;
  const auto depth = as_size(std::ranges::max(at));
  discount_.resize(depth);
  ideal_.assign(depth + 1, 0);
  for (std::size_t i = 0; i < depth; ++i) {
    discount_[i] = 1 / std::log2(static_cast<double>(i) + 2);
    ideal_[i + 1] = ideal_[i] + discount_[i];
  }
  every_label_.resize(as_size(labels));
  std::iota(every_label_.begin(), every_label_.end(), 0);
  is_relevant_.assign(as_size(labels), 0);
  top_.resize(depth);
  gain_.resize(depth);
}

void TopLabels::assign(std::span<const double> scores, std::span<const LabelId> truth) {
  relevant_ = truth.size();
  if (top_.empty()) return;
  in_front_ = std::min(top_.size(), scores.size());
  const auto row_labels = std::span(every_label_).first(scores.size());
  std::ranges::partial_sort_copy(row_labels, top_, [scores](LabelId a, LabelId b) {
    const double score_a = scores[as_size(a)];
    const double score_b = scores[as_size(b)];
    return score_a > score_b || (score_a == score_b && a > b);
  });
  for (const LabelId label : truth) is_relevant_[as_size(label)] = 1;
  for (std::size_t i = 0; i < in_front_; ++i) {
    gain_[i] = is_relevant_[as_size(top_[i])];
  }
  for (const LabelId label : truth) is_relevant_[as_size(label)] = 0;
  if (average_ties_) average_tied_gains(scores, truth);
}

/// Every position of a tie gains the mean over the tied labels: the expected gain for a random
/// order. The last tie may extend beyond the first positions.
void TopLabels::average_tied_gains(std::span<const double> scores, std::span<const LabelId> truth) {
  const auto score_of = [scores](LabelId label) { return scores[as_size(label)]; };
  for (std::size_t begin = 0; begin < in_front_;) {
    const double score = score_of(top_[begin]);
    std::size_t end = begin;
    double gained = 0;
    for (; end < in_front_ && score_of(top_[end]) == score; ++end) gained += gain_[end];
    auto tied = static_cast<double>(end - begin);
    if (end == in_front_) {
      tied = static_cast<double>(std::ranges::count(scores, score));
      gained = static_cast<double>(std::ranges::count(truth, score, score_of));
    }
    for (std::size_t i = begin; i < end; ++i) gain_[i] = gained / tied;
    begin = end;
  }
}

double TopLabels::precision(Index k) const noexcept {
  assert(k > 0 && k <= as_index(in_front_));
  return std::accumulate(gain_.begin(), gain_.begin() + k, 0.0) / static_cast<double>(k);
}

double TopLabels::ndcg(Index k) const noexcept {
  assert(k > 0 && k <= as_index(in_front_));
  if (relevant_ == 0) return 0;
  const double gained =
      std::inner_product(gain_.begin(), gain_.begin() + k, discount_.begin(), 0.0);
  return gained / ideal_[std::min(relevant_, as_size(k))];
}

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#include <mugrad/core/error.h>
#include <mugrad/model/scorer.h>

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace mugrad {

LabelChoice LabelChoice::by_threshold(std::vector<double> thresholds) {
  LabelChoice choice;
  choice.thresholds_ = std::move(thresholds);
  return choice;
}

LabelChoice LabelChoice::top(Index k) {
  if (k < 1) throw UsageError(fmt::format("the top k labels need k >= 1, got {}", k));
  LabelChoice choice;
  choice.k_ = k;
  return choice;
}

std::span<const LabelId> LabelChoice::choose(std::span<const double> scores) {
  assert(thresholds_.empty() || thresholds_.size() == scores.size());
  const auto score = [&](LabelId label) { return scores[as_size(label)]; };
  chosen_.clear();
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (thresholds_.empty() || scores[i] >= thresholds_[i]) {
      chosen_.push_back(static_cast<LabelId>(i));
    }
  }
  const auto better = [&](LabelId a, LabelId b) {
    return score(a) > score(b) || (score(a) == score(b) && a < b);
  };
  if (thresholds_.empty() && k_ < std::ssize(chosen_)) {
    std::ranges::partial_sort(chosen_, chosen_.begin() + k_, better);
    chosen_.resize(as_size(k_));
  } else {
    std::ranges::sort(chosen_, better);
  }
  return chosen_;
}

}  // namespace mugrad

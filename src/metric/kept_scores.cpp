// SPDX-License-Identifier: MIT
#include "metric/kept_scores.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mugrad {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

}  // namespace

void KeptScores::add(std::span<const double> scores, std::span<const LabelId> truth,
                     std::span<const LabelId> unknown) {
  if (!are_complete()) return;
  const std::size_t row = scores_.size();
  if (as_index(row) > most_ - labels_) {
    are_discarded_ = true;
    scores_ = {};
    is_true_ = {};
    return;
  }
  scores_.insert(scores_.end(), scores.begin(), scores.end());
  is_true_.resize(scores_.size());
  for (const LabelId label : unknown) scores_[row + as_size(label)] = kUnknown;
  for (const LabelId label : truth) is_true_[row + as_size(label)] = true;
}

void KeptScores::put(std::size_t place, ScoresByTruth& to) const {
  const double score = scores_[place];
  if (!std::isnan(score)) (is_true_[place] ? to.of_true : to.of_false).push_back(score);
}

ScoresByTruth KeptScores::of_all() const {
  ScoresByTruth all;
  const auto of_true = std::ranges::count(is_true_, true);
  all.of_true.reserve(as_size(of_true));
  all.of_false.reserve(scores_.size() - as_size(of_true));
  for (std::size_t place = 0; place < scores_.size(); ++place) put(place, all);
  all.sort();
  return all;
}

MetricValue KeptScores::macro_auc(const Metric& metric) const {
  MetricValue result{.metric = metric, .value = kUnknown};
  if (scores_.empty()) return result;
  ScoresByTruth of_label;
  double sum = 0;
  Index counted = 0;
  for (std::size_t label = 0; label < as_size(labels_); ++label) {
    of_label.clear();
    for (std::size_t place = label; place < scores_.size(); place += as_size(labels_)) {
      put(place, of_label);
    }
    of_label.sort();
    const double area = area_under_roc(of_label);
    if (std::isnan(area)) {
      ++result.skipped;
    } else {
      sum += area;
      ++counted;
    }
  }
  if (counted > 0) result.value = sum / static_cast<double>(counted);
  return result;
}

}  // namespace mugrad

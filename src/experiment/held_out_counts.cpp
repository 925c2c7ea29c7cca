// SPDX-License-Identifier: MIT
#include "experiment/held_out_counts.h"

#include "model/calibrated_scores.h"

#include <utility>

namespace mugrad {

void apply(const Decisions& decisions, ModelContents& contents) {
  if (!decisions.calibration.is_empty()) calibrate(contents, decisions.calibration);
  if (!decisions.thresholds.empty()) contents.thresholds = decisions.thresholds;
}

HeldOutCounts::HeldOutCounts(Index labels, const ScoreRange& range, double usual,
                             const TuneOptions& options)
    : labels_(labels), thresholds_(labels, range, usual) {
  if (options.calibrate) calibration_.emplace(labels, range);
}

void HeldOutCounts::add(std::span<const double> scores, std::span<const LabelId> truth,
                        std::span<const LabelId> unknown) {
  thresholds_.add(scores, truth, unknown);
  if (calibration_) calibration_->add(scores, truth, unknown);
}

Decisions HeldOutCounts::decide(const TuneOptions& options, ThreadPool& pool) const {
  Decisions decisions;
  if (calibration_) decisions.calibration = calibration_->fit(pool);
  if (options.thresholds == ThresholdRule::keep) return decisions;
  const auto choose = [&](const ThresholdCounts& counts) {
    return counts.choose(options.thresholds, options.threshold_metric, options.metric.convention,
                         options.threshold_target);
  };
  if (decisions.calibration.is_empty()) {
    decisions.thresholds = choose(thresholds_);
    return decisions;
  }
  // The usual threshold only breaks ties.
  ThresholdCounts calibrated(labels_, ScoreRange{}, ScoreRange{}.middle);
  calibration_->for_each_bin(decisions.calibration, [&](Index label, double probability,
                                                        Index positives, Index negatives) {
    calibrated.add(label, probability, positives, negatives);
  });
  decisions.thresholds = choose(calibrated);
  return decisions;
}

std::size_t HeldOutCounts::numbers_per_label() const noexcept {
  return thresholds_.numbers_per_label() +
         (calibration_ ? CalibrationCounts::numbers_per_label() : 0);
}

std::vector<Index> HeldOutCounts::numbers() const {
  const auto of_thresholds = thresholds_.numbers();
  if (!calibration_) return of_thresholds;
  const auto of_calibration = calibration_->numbers();
  std::vector<Index> result;
  result.reserve(of_thresholds.size() + of_calibration.size());
  const auto append = [&](const std::vector<Index>& from, std::size_t label, std::size_t each) {
    const auto begin = from.begin() + as_index(label * each);
    result.insert(result.end(), begin, begin + as_index(each));
  };
  for (std::size_t label = 0; label < as_size(labels_); ++label) {
    append(of_thresholds, label, thresholds_.numbers_per_label());
    append(of_calibration, label, CalibrationCounts::numbers_per_label());
  }
  return result;
}

void HeldOutCounts::add_numbers(std::span<const LabelId> labels, std::span<const Index> numbers) {
  const std::size_t first = thresholds_.numbers_per_label();
  for (std::size_t k = 0; k < labels.size(); ++k) {
    const auto own = numbers.subspan(k * numbers_per_label(), numbers_per_label());
    thresholds_.add_numbers(labels.subspan(k, 1), own.first(first));
    if (calibration_) calibration_->add_numbers(labels[k], own.subspan(first));
  }
}

}  // namespace mugrad

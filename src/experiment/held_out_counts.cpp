// SPDX-License-Identifier: MIT
#include "experiment/held_out_counts.h"

#include "core/stages.h"
#include "model/calibrated_scores.h"
#include "objective/logistic.h"

#include <algorithm>

namespace mugrad {

void apply(const Decisions& decisions, ModelContents& contents) {
  if (!decisions.calibration.is_empty()) calibrate(contents, decisions.calibration);
  if (!decisions.thresholds.empty()) contents.thresholds = decisions.thresholds;
}

HeldOutCounts::HeldOutCounts(Index labels, const Head& head, double usual,
                             const TuneOptions& options)
    : labels_(labels),
      are_log_odds_(has_linear_scores(head) && score_range(head).are_probabilities),
      are_probabilities_(score_range(head).are_probabilities),
      thresholds_(labels, score_range(head), usual) {
  if (options.calibrate) calibration_.emplace(labels, score_range(head));
}

Scorer HeldOutCounts::scorer_of(const Model& model, Threads threads) {
  return has_linear_scores(model.contents().head) ? Scorer::linear(model, threads)
                                                  : Scorer(model, threads);
}

void HeldOutCounts::add(std::span<const double> scores, std::span<const LabelId> truth,
                        std::span<const LabelId> unknown) {
  const auto changed = [&](const auto& change) {
    scratch_.resize(scores.size());
    std::ranges::transform(scores, scratch_.begin(), change);
    return std::span<const double>(scratch_);
  };
  if (calibration_) {
    const bool is_given = are_log_odds_ || !are_probabilities_;
    calibration_->add(
        is_given ? scores : changed([](double p) { return calibration_input(p, true); }), truth,
        unknown);
  }
  thresholds_.add(are_log_odds_ ? changed(LogisticLoss::probability<double>) : scores, truth,
                  unknown);
}

void HeldOutCounts::add_rows(const Model& model, const Dataset& test, Threads threads,
                             Progress* progress) {
  constexpr Index kRowsAtOnce = 1024;
  Scorer scorer = scorer_of(model, threads);
  Matrix<double> scores(std::min(kRowsAtOnce, test.rows()), test.labels());
  for (Index begin = 0; begin < test.rows(); begin += kRowsAtOnce) {
    const Index end = std::min(test.rows(), begin + kRowsAtOnce);
    advance(progress, share_of(begin, test.rows()));
    scorer.scores(test.x, begin, end, scores);
    for (Index row = begin; row < end; ++row) {
      add(scores.row(row - begin), test.y.row(row), test.unknown_of(row));
    }
  }
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
  auto of_thresholds = thresholds_.numbers();
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

// SPDX-License-Identifier: MIT
#include "experiment/trial_record.h"

#include <mugrad/model/scorer.h>

#include <algorithm>
#include <limits>

namespace mugrad {
namespace {

constexpr Index kRowsAtOnce = 1024;
constexpr double kNoScore = std::numeric_limits<double>::quiet_NaN();

}  // namespace

bool needs_whole_rows(const Metric& metric) {
  return info_of(metric.measure).uses_thresholds && !threshold_metric_of(metric.measure);
}

void evaluate_by(const Metric& metric, ThresholdMetric threshold_metric, const TuneOptions& options,
                 Trial& trial) {
  // Values of the inner parts are under the convention of the options.
  Metric measured = metric;
  measured.convention = options.metric.convention;
  // Scores may be probabilities for some settings only.
  const auto found = trial.metrics.find(measured);
  trial.mean = found == trial.metrics.end() ? kNoScore : found->second;
  if (!trial.counts) return;
  trial.thresholds = trial.counts->choose(options.thresholds, threshold_metric, metric.convention,
                                          options.threshold_target);
  const auto by = threshold_metric_of(metric.measure);
  if (!by) return;
  trial.mean = trial.counts->value(trial.thresholds, *by, metric.convention);
  trial.scores = {trial.mean};
}

TrialRecord::TrialRecord(OptionValues values, const TuneOptions& options, Index kept_scores,
                         std::size_t parts)
    : options_(options),
      kept_scores_(kept_scores),
      trial_{.values = std::move(values)},
      is_evaluated_(parts) {
  trial_.scores.assign(parts, kNoScore);
}

void TrialRecord::evaluate_part(std::size_t part, const Model& model, const Dataset& test,
                                Threads threads, SharedProgress& progress) {
  const auto& thresholds = model.contents().thresholds;
  const ScoreRange range = score_range(model.contents());
  Evaluator evaluator(test.labels(), {.thresholds = thresholds,
                                      .convention = options_.metric.convention,
                                      .are_probabilities = range.are_probabilities,
                                      .most_kept_scores = kept_scores_});
  std::optional<ThresholdCounts> counts = trial_.counts;
  if (options_.thresholds != ThresholdRule::keep && !counts) {
    counts.emplace(test.labels(), range, thresholds.front());
  }
  Scorer scorer(model, threads);
  Matrix<double> scores(std::min(kRowsAtOnce, test.rows()), test.labels());
  for (Index begin = 0; begin < test.rows(); begin += kRowsAtOnce) {
    const Index end = std::min(test.rows(), begin + kRowsAtOnce);
    advance(&progress, 0);
    scorer.scores(test.x, begin, end, scores);
    for (Index row = begin; row < end; ++row) {
      evaluator.add(scores.row(row - begin), test.y.row(row), test.unknown_of(row));
      if (counts) counts->add(scores.row(row - begin), test.y.row(row), test.unknown_of(row));
    }
  }
  const Evaluation evaluation = evaluator.finish();
  for (const auto& [metric, value, skipped] : evaluation.metrics) trial_.metrics[metric] += value;
  trial_.counts = std::move(counts);
  trial_.scores[part] = evaluation[options_.metric];
  is_evaluated_[part] = true;
  ++trial_.parts;
}

std::optional<Trial> TrialRecord::result() const {
  if (trial_.parts == 0 && !has_failed()) return std::nullopt;
  Trial trial = trial_;
  trial.scores.clear();
  if (has_failed()) {
    trial.metrics.clear();
    trial.counts.reset();
    trial.mean = kNoScore;
    return trial;
  }
  for (std::size_t part = 0; part < is_evaluated_.size(); ++part) {
    if (is_evaluated_[part]) trial.scores.push_back(trial_.scores[part]);
  }
  for (auto& [metric, value] : trial.metrics) value /= static_cast<double>(trial.parts);
  evaluate_by(options_.metric, options_.threshold_metric, options_, trial);
  return trial;
}

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>
#include <mugrad/metric/evaluate.h>
#include <mugrad/model/model.h>

namespace mugrad {

/// Reported beside the metrics under scikit-learn's convention: it counts a label that is neither
/// present nor predicted as perfect.
inline constexpr Metric kMulanMacroF1 = {.measure = Measure::macro_f1,
                                         .convention = Convention::mulan};

/// Evaluates a model at its own thresholds on data with known labels. Metrics of all scores
/// together are reported for at most `most_kept_scores`.
inline Evaluation evaluate_model(const Model& model, const Matrix<double>& scores,
                                 const Dataset& data, Convention convention = Convention::sklearn,
                                 Index most_kept_scores = 0) {
  const BinaryMatrix* unknown = data.unknown.rows() == 0 ? nullptr : &data.unknown;
  return evaluate(scores, data.y,
                  {.thresholds = model.contents().thresholds,
                   .convention = convention,
                   .are_probabilities = score_range(model.contents()).are_probabilities,
                   .most_kept_scores = most_kept_scores},
                  unknown);
}

/// One metric of a model, however many scores there are.
inline double metric_of(const Model& model, const Matrix<double>& scores, const Dataset& data,
                        const Metric& metric) {
  const Index kept = info_of(metric.measure).needs_all_scores ? kAllScores : 0;
  return evaluate_model(model, scores, data, metric.convention, kept)[metric];
}

}  // namespace mugrad

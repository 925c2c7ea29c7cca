// SPDX-License-Identifier: MIT
#pragma once

#include "experiment/calibration.h"

#include <mugrad/core/progress.h>
#include <mugrad/experiment/tune.h>
#include <mugrad/model/scorer.h>

#include <optional>
#include <span>
#include <vector>

namespace mugrad {

/// What inner folds decide about a model.
struct Decisions {
  Calibration calibration = {};         ///< empty: scores stay as they are
  std::vector<double> thresholds = {};  ///< of these scores; empty: those of the method
};

/// Changes the scores and thresholds of a model that is not calibrated.
void apply(const Decisions& decisions, ModelContents& contents);

/// Counts of the scores of held-out rows, from which scores are calibrated and thresholds chosen.
class HeldOutCounts {
 public:
  /// `head` is that of the models, `usual` the threshold of the method.
  HeldOutCounts(Index labels, const Head& head, double usual, const TuneOptions& options);

  /// Scores models as `add` wants them: linear scores, which keep their digits where probabilities
  /// are near 1, if there are some.
  static Scorer scorer_of(const Model& model, Threads threads);
  /// As Evaluator::add, with scores of scorer_of.
  void add(std::span<const double> scores, std::span<const LabelId> truth,
           std::span<const LabelId> unknown = {});

  /// The scores of all rows of `test` by a model that has not seen them. Throws InterruptedError if
  /// `progress` asks to stop.
  void add_rows(const Model& model, const Dataset& test, Threads threads, Progress* progress);

  /// As far as the options ask for it. Thresholds of calibrated scores follow from the bins of the
  /// calibration.
  Decisions decide(const TuneOptions& options, ThreadPool& pool) const;

  /// How many numbers hold the counts of one label.
  std::size_t numbers_per_label() const noexcept;
  /// The counts as numbers, label after label, to send or to store them.
  std::vector<Index> numbers() const;
  /// Adds such numbers of these labels. Requires: `numbers` has numbers_per_label() for each.
  void add_numbers(std::span<const LabelId> labels, std::span<const Index> numbers);

 private:
  Index labels_;
  bool are_log_odds_;       ///< the scores added
  bool are_probabilities_;  ///< the scores of the head
  ThresholdCounts thresholds_;
  std::optional<CalibrationCounts> calibration_;  ///< empty: not asked for
  std::vector<double> scratch_;
};

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#pragma once

#include "learner/platt_scaling.h"

#include <mugrad/model/model.h>
#include <mugrad/parallel/thread_pool.h>

#include <cstdint>
#include <span>
#include <vector>

namespace mugrad {

/// Counts the scores of held-out rows in narrow bins, for each label. This suffices to calibrate
/// them, and memory does not grow with the rows.
class CalibrationCounts {
 public:
  /// `range` is that of the uncalibrated scores.
  CalibrationCounts(Index labels, const ScoreRange& range);

  /// As Evaluator::add, with what a calibration is linear in for scores: log-odds if scores are
  /// probabilities.
  void add(std::span<const double> inputs, std::span<const LabelId> truth,
           std::span<const LabelId> unknown = {});

  /// Platt scaling: one line for all labels, which keeps the order of the labels of a row, or a
  /// line of each label, drawn towards the common one, if these lower the log loss by a further
  /// 5 %. How strongly lines are drawn is learned from how much the labels differ, by expectation
  /// maximisation of the variances of slopes and shifts. Empty if all known labels are equal, if
  /// higher scores do not mean higher probabilities, or if scores are probabilities whose log loss
  /// would fall by less than 2.5 %, or by no more than Schwarz's criterion asks for: models of
  /// inner folds differ from the model of all rows, whose probabilities such small corrections do
  /// not improve.
  Calibration fit(ThreadPool& pool) const;

  /// Calls visit(label, calibrated probability, positives, negatives) for every bin with rows.
  template <class Visit>
  void for_each_bin(const Calibration& calibration, const Visit& visit) const {
    for (std::size_t label = 0; label < as_size(labels_); ++label) {
      for (const DecisionBin& bin : bins_of(label)) {
        const PlattScaling line{-calibration.slope[label], -calibration.shift[label]};
        visit(as_index(label), line.probability(bin.decision), static_cast<Index>(bin.positives),
              static_cast<Index>(bin.negatives));
      }
    }
  }

  /// How many numbers hold the counts of one label.
  static std::size_t numbers_per_label() noexcept { return 2 * kBins; }
  /// The counts as numbers, label after label.
  std::vector<Index> numbers() const;
  /// Adds such numbers of one label.
  void add_numbers(LabelId label, std::span<const Index> numbers);

 private:
  static constexpr std::size_t kBins = 1300;

  std::size_t place(std::size_t label, std::size_t bin) const noexcept;
  double centre(std::size_t bin) const noexcept;
  std::vector<DecisionBin> bins_of(std::size_t label) const;
  std::vector<DecisionBin> bins_of_all() const;

  Index labels_;
  bool are_probabilities_;
  double middle_, scale_;  ///< of the bins, which are evenly spaced in asinh((u - middle) / scale)
  std::vector<std::uint32_t> positives_, negatives_;
};

}  // namespace mugrad

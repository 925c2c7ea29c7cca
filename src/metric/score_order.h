// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

#include <vector>

namespace mugrad {

/// The scores of pairs of a row and a label, by whether the row has the label.
struct ScoresByTruth {
  std::vector<double> of_true;
  std::vector<double> of_false;

  void clear() noexcept;
  void sort();
};

// Both require: the scores are sorted. Neither depends on the order in which scores were added.

/// The area under the ROC curve: the share of the pairs (true, false) in which the score of the
/// true one is higher; ties count one half. NaN if either is empty.
double area_under_roc(const ScoresByTruth& scores) noexcept;

/// The expected calibration error in kCalibrationBins bins of about equal count; NaN without
/// scores. Equal scores share a bin: the one that the middle of them belongs to by its rank.
double calibration_error(const ScoresByTruth& probabilities) noexcept;
inline constexpr Index kCalibrationBins = 15;

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#pragma once

#include "learner/linear_svm.h"
#include "learner/platt_scaling.h"
#include "linalg/scaled_rows.h"

#include <mugrad/core/progress.h>
#include <mugrad/linalg/matrix.h>
#include <mugrad/method/lift.h>

#include <span>
#include <string>

namespace mugrad {

/// The trained parts of a label.
struct LiftLabel {
  /// One row each, in scaled features: of the positives, then of the negatives.
  Matrix<float> centres;
  LinearSvm svm;  ///< on the distances to them
  PlattScaling representation;
  Index iterations = 0;                 ///< of k-means, the larger of both classes
  Stop centres_stop = Stop::converged;  ///< of k-means
  Stop svm_stop = Stop::converged;      ///< of all SVMs
};

/// ceil(ratio min(positives, rows - positives)): the maximum number of centres per class.
Index centres_per_class(Index positives, Index rows, double ratio) noexcept;

/// Distances of all rows to the centres, one column each.
Matrix<double> distances(const ScaledRows& rows, const Matrix<float>& centres);

/// Updates `progress` at every iteration of k-means and of the SVMs. Requires: both classes occur.
LiftLabel fit_lift_label(const ScaledRows& rows, std::span<const LabelId> positives, LabelId label,
                         const LiftOptions& options, Progress* progress = nullptr);

/// Throws DivergenceError, naming the label and c, if numbers overflowed.
void throw_if_diverged(const LiftLabel& fitted, const std::string& label, double c);

/// The memory of fit_lift_label for a label with this many centres, in bytes.
double bytes_to_fit_label(Index rows, Index features, double centres) noexcept;

}  // namespace mugrad

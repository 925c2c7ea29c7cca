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
#include <vector>

namespace mugrad {

/// What LIFT learns of a label.
struct LiftLabel {
  Matrix<float> centres;  ///< a row each, in scaled features: the positives', then the others'
  LinearSvm svm;          ///< of the distances to them
  PlattScaling scaling;
  Index iterations = 0;                 ///< of k-means, for the slower class
  Stop centres_stop = Stop::converged;  ///< of k-means
  Stop svm_stop = Stop::converged;      ///< of all SVMs
};

/// ceil(ratio min(positives, rows - positives)): how many centres each class has at the most.
Index centres_per_class(Index positives, Index rows, double ratio) noexcept;

/// Distances of all rows to the centres, a column each.
Matrix<double> distances(const ScaledRows& rows, const Matrix<float>& centres);

/// Updates `progress` at every iteration of k-means and of the SVMs. Requires: both classes are
/// there.
LiftLabel fit_lift_label(const ScaledRows& rows, std::span<const LabelId> positives, LabelId label,
                         const LiftOptions& options, Progress* progress = nullptr);

/// Throws DivergenceError, naming the label and c, where numbers left the finite ones.
void throw_if_diverged(const LiftLabel& fitted, const std::string& label, double c);

/// The memory that fit_lift_label takes for a label with so many centres, in bytes.
double bytes_to_fit_label(Index rows, Index features, double centres) noexcept;

}  // namespace mugrad

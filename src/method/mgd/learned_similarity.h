// SPDX-License-Identifier: MIT
#pragma once

#include "method/common/trainable_labels.h"

#include <mugrad/method/mgd.h>

namespace mugrad {

/// How many similar labels each label keeps.
Index learned_neighbours(const MgdOptions& options) noexcept;

/// The options with which labels are trained alone, before their relations are learned.
MgdOptions options_alone(MgdOptions options);

/// Folds for predicted probabilities. With fewer examples, weights are compared instead.
inline constexpr Index kPredictedFolds = 3;

/// The learned similarity of the trainable labels, symmetric and without a diagonal. `alone` are
/// their weights without transfer. Predicted probabilities come from folds, for each of which the
/// labels are trained alone once more. Requires: is_learned(options.similarity).
template <class Real>
CsrMatrix<double> learned_similarity(const Dataset& data, const MgdOptions& options,
                                     const TrainableLabels& trainable, const Matrix<Real>& alone,
                                     ThreadPool& pool, Progress* progress);

}  // namespace mugrad

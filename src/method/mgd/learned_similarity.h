// SPDX-License-Identifier: MIT
#pragma once

#include "method/common/trainable_labels.h"

#include <mugrad/method/mgd.h>

namespace mugrad {

/// How many similar labels each label keeps.
Index learned_neighbours(const MgdOptions& options) noexcept;

/// The learned similarity of the trainable labels, symmetric and without a diagonal. `alone` are
/// their weights without transfer. Predicted probabilities come from folds, for each of which the
/// labels are trained alone once more. Requires: is_learned(options.similarity).
template <class Real>
CsrMatrix<double> learned_similarity(const Dataset& data, const MgdOptions& options,
                                     const TrainableLabels& trainable, const Matrix<Real>& alone,
                                     ThreadPool& pool, Progress* progress);

}  // namespace mugrad

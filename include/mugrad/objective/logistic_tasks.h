// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/binary_matrix.h>
#include <mugrad/linalg/feature_transform.h>
#include <mugrad/objective/task_set.h>
#include <mugrad/parallel/thread_pool.h>

#include <memory>

namespace mugrad {

/// One L2 logistic task per label, equation (1), all on the same features: row 0 of W is the
/// unpenalised intercept, row k + 1 belongs to feature k. One pass over the features serves every
/// label; labels and sparse features stay sparse.
/// Requires: as many label rows as feature rows, at least one; rho >= 0. `labels` and `pool` must
/// outlive the tasks; the features are copied in the precision of Real.
template <class Real>
std::unique_ptr<TaskSet<Real>> logistic_tasks(const Features& x, const FeatureTransform& transform,
                                              const BinaryMatrix& labels, double rho,
                                              ThreadPool& pool);

}  // namespace mugrad

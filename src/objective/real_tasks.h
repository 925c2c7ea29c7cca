// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/features.h>
#include <mugrad/linalg/matrix.h>
#include <mugrad/objective/linear_tasks.h>
#include <mugrad/parallel/thread_pool.h>

#include <memory>

namespace mugrad {

/// One linear task per column of real targets under the squared loss, equations (2) and (3), all on
/// the same features, as in linear_tasks. A target is NaN if it is unknown; the loss of a task is
/// the mean over its known examples. Computed from X'X if all are known and that is less work.
/// Requires: for every task a known target with positive weight; no options for labels except rho,
/// l1 and row_weights. `pool` must outlive the tasks.
template <class Real>
std::unique_ptr<LinearTaskSet<Real>> real_tasks(const Features& x,
                                                const FeatureTransform& transform,
                                                Matrix<Real> targets,
                                                const LinearTaskOptions& options, ThreadPool& pool);

}  // namespace mugrad

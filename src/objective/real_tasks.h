// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/feature_transform.h>
#include <mugrad/linalg/features.h>
#include <mugrad/linalg/matrix.h>
#include <mugrad/objective/linear_tasks.h>
#include <mugrad/parallel/thread_pool.h>

#include <memory>

namespace mugrad {

/// One linear task per column of real targets under the squared loss, equations (2) and (3), all on
/// the same features, as linear_tasks has them. NaN: the target is not known of the example, and a
/// task's mean is over those it knows. Computed from X'X where all are known and that is less work.
/// Requires: a target that is known for every task, by an example that counts; no options for
/// labels but rho, l1 and row_weights. `pool` must outlive the tasks.
template <class Real>
std::unique_ptr<LinearTaskSet<Real>> real_tasks(const Features& x,
                                                const FeatureTransform& transform,
                                                Matrix<Real> targets,
                                                const LinearTaskOptions& options, ThreadPool& pool);

}  // namespace mugrad

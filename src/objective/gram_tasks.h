// SPDX-License-Identifier: MIT
#pragma once

#include "linalg/pass/design.h"

#include <mugrad/objective/linear_tasks.h>

namespace mugrad {

/// Whether computing the squared losses of this many tasks from X'X, including forming it, is
/// cheaper than passes over the features, and whether X'X is small enough to store.
bool gram_pays(const DesignShape& design, Index tasks);

/// Squared losses of equation (2), computed from X'X/n, X'Y/n and y'y/n alone; the design is not
/// needed afterwards. Requires: options without weights, unknown labels and unused features.
template <class Real>
std::unique_ptr<LinearTaskSet<Real>> gram_tasks(const Design<Real>& design,
                                                const BinaryMatrix& labels,
                                                const LinearTaskOptions& options, ThreadPool& pool);

/// The same for real targets, one column each, with weighted rows.
/// Requires: options without other weights, unknown labels and unused features.
template <class Real>
std::unique_ptr<LinearTaskSet<Real>> gram_real_tasks(const Design<Real>& design,
                                                     const Matrix<Real>& targets,
                                                     const LinearTaskOptions& options,
                                                     ThreadPool& pool);

}  // namespace mugrad

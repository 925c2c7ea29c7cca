// SPDX-License-Identifier: MIT
#pragma once

#include "linalg/pass/design.h"

#include <mugrad/objective/linear_tasks.h>

namespace mugrad {

/// Whether squared losses of so many tasks cost less from X'X than by passes over the features,
/// forming it included, and whether it is small enough to hold.
bool gram_pays(const DesignShape& design, Index tasks);

/// Squared losses of equation (2) computed from X'X/n, X'Y/n and y'y/n alone; the design is not
/// needed afterwards. Requires: options without weights, unknown labels and unused features.
template <class Real>
std::unique_ptr<LinearTaskSet<Real>> gram_tasks(const Design<Real>& design,
                                                const BinaryMatrix& labels,
                                                const LinearTaskOptions& options, ThreadPool& pool);

/// The same of real targets, a column each, whose rows count as their weights say.
/// Requires: options with no other weights, unknown labels and unused features.
template <class Real>
std::unique_ptr<LinearTaskSet<Real>> gram_tasks(const Design<Real>& design,
                                                const Matrix<Real>& targets,
                                                const LinearTaskOptions& options, ThreadPool& pool);

}  // namespace mugrad

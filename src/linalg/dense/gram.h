// SPDX-License-Identifier: MIT
#pragma once

#include "linalg/pass/design.h"

#include <mugrad/linalg/sparse_matrix.h>
#include <mugrad/parallel/thread_pool.h>

#include <span>

namespace mugrad {

// Rows may have weights, one each; the default is 1.

/// A'A / rows for the design A = [1 X], summed in double.
template <class Real>
Matrix<double> gram_matrix(const Design<Real>& design, ThreadPool& pool,
                           std::span<const double> weights = {});

/// A'Y / rows, one column of Y per target, summed in double.
template <class Real>
Matrix<double> target_products(const Design<Real>& design, const Matrix<Real>& targets,
                               std::span<const double> weights = {});

/// A'Y / rows, one column per label, summed in double.
template <class Real>
Matrix<double> label_products(const Design<Real>& design, const BinaryMatrix& labels,
                              std::span<const double> weights = {});

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#pragma once

#include "linalg/pass/design.h"

#include <mugrad/linalg/binary_matrix.h>
#include <mugrad/parallel/thread_pool.h>

#include <span>

namespace mugrad {

// Rows may have weights, one each, that they count by; without any each counts once.

/// A'A / rows of the design A = [1 X], summed in double.
template <class Real>
Matrix<double> gram_matrix(const Design<Real>& design, ThreadPool& pool,
                           std::span<const double> weights = {});

/// A'Y / rows, a column of Y per target, summed in double.
template <class Real>
Matrix<double> target_products(const Design<Real>& design, const Matrix<Real>& targets,
                               std::span<const double> weights = {});

/// A'Y / rows, a column per label, summed in double.
template <class Real>
Matrix<double> label_products(const Design<Real>& design, const BinaryMatrix& labels,
                              std::span<const double> weights = {});

}  // namespace mugrad

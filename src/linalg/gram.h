// SPDX-License-Identifier: MIT
#pragma once

#include "linalg/design.h"

#include <mugrad/linalg/binary_matrix.h>
#include <mugrad/parallel/thread_pool.h>

namespace mugrad {

/// A'A / rows of the design A = [1 X], summed in double.
template <class Real>
Matrix<double> gram_matrix(const Design<Real>& design, ThreadPool& pool);

/// A'Y / rows, a column per label, summed in double.
template <class Real>
Matrix<double> label_products(const Design<Real>& design, const BinaryMatrix& labels);

}  // namespace mugrad

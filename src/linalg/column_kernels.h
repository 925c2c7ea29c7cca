// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/matrix.h>

#include <span>

namespace mugrad {

/// sums[t] += sum over the rows [begin, end) of a(k, t) b(k, t), for every column t.
template <class Real>
void add_column_dots(const Matrix<Real>& a, const Matrix<Real>& b, Index begin, Index end,
                     std::span<double> sums) noexcept;

/// Rows [begin, end) of `to` += factors[t] a(k, t), for every column t.
template <class Real>
void add_scaled_columns(const Matrix<Real>& a, std::span<const Real> factors, Index begin,
                        Index end, Matrix<Real>& to) noexcept;

}  // namespace mugrad

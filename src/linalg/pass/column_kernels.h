// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/matrix.h>

#include <span>

namespace mugrad {

/// sums[t] += sum over the rows [begin, end) of a(k, t) b(k, t), for every column t.
template <class Real>
void add_column_dots(const Matrix<Real>& a, const Matrix<Real>& b, Index begin, Index end,
                     std::span<double> sums) noexcept;

/// Rows [begin, end) of `to` += sum over i of factors[i cols + t] terms[i](k, t), for every column
/// t.
template <class Real>
void add_scaled_columns(std::span<const Matrix<Real>* const> terms, std::span<const Real> factors,
                        Index begin, Index end, Matrix<Real>& to) noexcept;

}  // namespace mugrad

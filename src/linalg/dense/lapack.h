// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/matrix.h>

namespace mugrad {

/// Replaces the rows of v by an orthonormal basis of what they span; rows that depend on those
/// before them become some unit vectors orthogonal to all others.
/// Requires: no more rows than columns, all entries finite.
template <class Real>
void orthonormalise_rows(Matrix<Real>& v);

/// Replaces a by its inverse. Throws Error when it has none.
void invert(Matrix<double>& a);

}  // namespace mugrad

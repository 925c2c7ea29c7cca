// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/feature_transform.h>
#include <mugrad/linalg/features.h>
#include <mugrad/linalg/matrix.h>

#include <vector>

namespace mugrad {

/// The transformed features written out, zeros included, one row per example. Entries are rounded
/// to single precision, as models store them.
Matrix<double> dense_rows(const Features& x, const FeatureTransform& transform);

/// The squared length of each row.
std::vector<double> squared_lengths(const Matrix<double>& rows);

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/matrix.h>
#include <mugrad/linalg/sparse_matrix.h>

#include <vector>

namespace mugrad::testing {

/// Rows of zeros and ones; `cols` columns where there are no rows to tell.
BinaryMatrix binary_rows(const std::vector<std::vector<int>>& rows, Index cols = 0);

/// Rows of equal length.
Matrix<double> dense_rows(const std::vector<std::vector<double>>& rows);

}  // namespace mugrad::testing

// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/matrix.h>
#include <mugrad/linalg/sparse_matrix.h>

#include <nlohmann/json.hpp>

#include <string_view>

namespace mugrad::testing {

/// The parsed content of tests/data/golden/NAME.
nlohmann::json golden(std::string_view name);
/// An array of rows.
Matrix<double> matrix_from(const nlohmann::json& rows);
/// An array of rows of 0 and 1.
BinaryMatrix binary_from(const nlohmann::json& rows);
/// An array of rows, its zeros not stored.
CsrMatrix<double> csr_from(const nlohmann::json& rows);
/// max |a - b|; infinite when the shapes differ.
double largest_difference(const Matrix<double>& a, const Matrix<double>& b);

}  // namespace mugrad::testing

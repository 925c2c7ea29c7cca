// SPDX-License-Identifier: MIT
#include "support/golden.h"

#include "support/paths.h"

#include <cmath>
#include <fstream>
#include <limits>

namespace mugrad::testing {

nlohmann::json golden(std::string_view name) {
  return nlohmann::json::parse(std::ifstream(in_repository("tests/data/golden") / name));
}

Matrix<double> matrix_from(const nlohmann::json& rows) {
  Matrix<double> result(static_cast<Index>(rows.size()), static_cast<Index>(rows.at(0).size()));
  for (Index i = 0; i < result.rows(); ++i) {
    for (Index j = 0; j < result.cols(); ++j) {
      result(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)].get<double>();
    }
  }
  return result;
}

BinaryMatrix binary_from(const nlohmann::json& rows) {
  BinaryMatrix result;
  result.cols = static_cast<Index>(rows.at(0).size());
  for (const auto& row : rows) {
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (row[j].get<int>() == 1) result.column.push_back(static_cast<LabelId>(j));
    }
    result.end_row();
  }
  return result;
}

CsrMatrix<double> csr_from(const nlohmann::json& rows) {
  CsrMatrix<double> result;
  result.cols = static_cast<Index>(rows.at(0).size());
  for (const auto& row : rows) {
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (row[j].get<double>() == 0) continue;
      result.column.push_back(static_cast<std::int32_t>(j));
      result.value.push_back(row[j].get<double>());
    }
    result.end_row();
  }
  return result;
}

double largest_difference(const Matrix<double>& a, const Matrix<double>& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (std::size_t k = 0; k < a.values().size(); ++k) {
    largest = std::fmax(largest, std::fabs(a.values()[k] - b.values()[k]));
  }
  return largest;
}

}  // namespace mugrad::testing

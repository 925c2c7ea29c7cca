// SPDX-License-Identifier: MIT
#include "support/label_rows.h"

#include <algorithm>

namespace mugrad::testing {

BinaryMatrix binary_rows(const std::vector<std::vector<int>>& rows, Index cols) {
  BinaryMatrix result;
  result.cols = rows.empty() ? cols : static_cast<Index>(rows.front().size());
  for (const auto& row : rows) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      if (row[column] != 0) result.column.push_back(static_cast<LabelId>(column));
    }
    result.end_row();
  }
  return result;
}

Matrix<double> dense_rows(const std::vector<std::vector<double>>& rows) {
  const auto cols = rows.empty() ? std::size_t{0} : rows.front().size();
  Matrix<double> result(static_cast<Index>(rows.size()), static_cast<Index>(cols));
  for (std::size_t row = 0; row < rows.size(); ++row) {
    std::ranges::copy(rows[row], result.row(static_cast<Index>(row)).begin());
  }
  return result;
}

}  // namespace mugrad::testing

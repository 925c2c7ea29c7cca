// SPDX-License-Identifier: MIT
#include <mugrad/linalg/features.h>

#include <algorithm>

namespace mugrad {

Index Features::rows() const noexcept {
  return std::visit([](const auto& matrix) { return matrix.rows(); }, storage_);
}

Index Features::cols() const noexcept { return is_sparse() ? sparse().cols : dense().cols(); }

Index Features::nonzeros() const noexcept {
  if (is_sparse()) return sparse().nonzeros();
  return std::ranges::count_if(dense().values(), [](double value) { return value != 0; });
}

Features select_rows(const Features& features, std::span<const Index> rows) {
  if (features.is_sparse()) {
    const auto& from = features.sparse();
    CsrMatrix<double> result;
    result.cols = from.cols;
    for (const Index row : rows) {
      const auto columns = from.row_columns(row);
      const auto values = from.row_values(row);
      result.column.insert(result.column.end(), columns.begin(), columns.end());
      result.value.insert(result.value.end(), values.begin(), values.end());
      result.end_row();
    }
    return result;
  }
  const auto& from = features.dense();
  Matrix<double> result(static_cast<Index>(rows.size()), from.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::ranges::copy(from.row(rows[i]), result.row(static_cast<Index>(i)).begin());
  }
  return result;
}

}  // namespace mugrad

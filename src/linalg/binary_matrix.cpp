// SPDX-License-Identifier: MIT
#include <mugrad/linalg/sparse_matrix.h>

namespace mugrad {

std::vector<Index> column_counts(const BinaryMatrix& matrix) {
  std::vector<Index> counts(as_size(matrix.cols), 0);
  for (const LabelId column : matrix.column) ++counts[as_size(column)];
  return counts;
}

BinaryMatrix transposed(const BinaryMatrix& matrix) {
  BinaryMatrix result;
  result.cols = matrix.rows();
  result.row_start.assign(as_size(matrix.cols) + 1, 0);
  for (const LabelId column : matrix.column) {
    ++result.row_start[as_size(column) + 1];
  }
  for (std::size_t i = 1; i < result.row_start.size(); ++i) {
    result.row_start[i] += result.row_start[i - 1];
  }
  result.column.resize(matrix.column.size());
  std::vector<Index> next(result.row_start.begin(), result.row_start.end() - 1);
  for (Index row = 0; row < matrix.rows(); ++row) {
    for (const LabelId column : matrix.row(row)) {
      const Index position = next[as_size(column)]++;
      result.column[as_size(position)] = static_cast<LabelId>(row);
    }
  }
  return result;
}

}  // namespace mugrad

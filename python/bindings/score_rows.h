// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <span>
#include <vector>

namespace mugrad::python {

/// Scores or predictions from Python, row by row: a C-contiguous array of float64, read in place,
/// or (data, indices, indptr, shape) of a CSR matrix (float64, int32, int64), made dense one row at
/// a time. Rows may be read without holding the interpreter's lock.
class ScoreRows {
 public:
  /// TypeError for anything else; ValueError for parts that are no matrix.
  explicit ScoreRows(const pybind11::object& scores);

  Index rows() const noexcept { return rows_; }
  Index cols() const noexcept { return cols_; }
  /// Valid until the next call.
  std::span<const double> row(Index row);

 private:
  Index rows_ = 0, cols_ = 0;
  const double* value_ = nullptr;
  const std::int32_t* column_ = nullptr;  ///< null: dense
  const Index* row_start_ = nullptr;
  std::vector<double> dense_row_;
  pybind11::object keep_[3];
};

}  // namespace mugrad::python

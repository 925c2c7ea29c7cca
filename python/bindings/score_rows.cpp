// SPDX-License-Identifier: MIT
#include "score_rows.h"

#include <algorithm>

namespace py = pybind11;

namespace mugrad::python {
namespace {

/// The array itself; it is not converted.
template <class Value>
py::array_t<Value> exactly(const py::handle& object) {
  using Array = py::array_t<Value, py::array::c_style>;
  if (!Array::check_(object)) {
    throw py::type_error("expected a C-contiguous array of " +
                         std::string(py::str(py::dtype::of<Value>())));
  }
  return py::reinterpret_borrow<py::array_t<Value>>(object);
}

void check_parts(Index rows, Index cols, std::span<const Index> row_start,
                 std::span<const std::int32_t> column, std::size_t values) {
  const bool fits = std::ssize(row_start) == rows + 1 && row_start.front() == 0 &&
                    std::ranges::is_sorted(row_start) && row_start.back() <= std::ssize(column) &&
                    column.size() == values;
  if (!fits) throw py::value_error("the parts of the CSR matrix do not fit together");
  const auto is_column = [cols](std::int32_t c) { return c >= 0 && c < cols; };
  if (!std::ranges::all_of(column, is_column)) {
    throw py::value_error("the CSR matrix has a column that is not in its shape");
  }
}

}  // namespace

ScoreRows::ScoreRows(const py::object& scores) {
  if (!py::isinstance<py::tuple>(scores)) {
    const auto array = exactly<double>(scores);
    if (array.ndim() != 2) throw py::value_error("expected a matrix");
    rows_ = array.shape(0);
    cols_ = array.shape(1);
    value_ = array.data();
    keep_[0] = array;
    return;
  }
  const auto parts = py::reinterpret_borrow<py::tuple>(scores);
  if (parts.size() != 4) throw py::type_error("expected (data, indices, indptr, shape)");
  const auto value = exactly<double>(parts[0]);
  const auto column = exactly<std::int32_t>(parts[1]);
  const auto row_start = exactly<Index>(parts[2]);
  std::tie(rows_, cols_) = parts[3].cast<std::pair<Index, Index>>();
  const auto span = [](const auto& array) {
    return std::span(array.data(), as_size(array.size()));
  };
  check_parts(rows_, cols_, span(row_start), span(column), as_size(value.size()));
  value_ = value.data();
  column_ = column.data();
  row_start_ = row_start.data();
  dense_row_.resize(as_size(cols_));
  keep_[0] = value;
  keep_[1] = column;
  keep_[2] = row_start;
}

std::span<const double> ScoreRows::row(Index row) {
  if (column_ == nullptr) return {value_ + row * cols_, as_size(cols_)};
  std::ranges::fill(dense_row_, 0.0);
  for (Index k = row_start_[row]; k < row_start_[row + 1]; ++k) {
    dense_row_[as_size(column_[k])] += value_[k];
  }
  return dense_row_;
}

}  // namespace mugrad::python

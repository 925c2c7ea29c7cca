// SPDX-License-Identifier: MIT
#include "arrays.h"

#include "linalg/ascending_rows.h"

#include <mugrad/core/error.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace py = pybind11;

namespace mugrad::python {
namespace {

template <class Value>
using Packed = py::array_t<Value, py::array::c_style>;

[[noreturn]] void refuse_type(const std::string& what) { throw py::type_error(what); }

/// The attribute, or None where there is none of that name. Properties run Python code, where
/// Ctrl-C arrives: py::hasattr would take that, and any other error, for a missing attribute.
py::object attribute_or_none(const py::object& x, const char* name) {
  try {
    return x.attr(name);
  } catch (const py::error_already_set& error) {
    if (!error.matches(PyExc_AttributeError)) throw;
    return py::none();
  }
}

bool is_csr(const py::object& x) {
  if (attribute_or_none(x, "indptr").is_none()) return false;
  const py::object format = attribute_or_none(x, "format");
  return py::isinstance<py::str>(format) && format.cast<std::string>() == "csr";
}

std::pair<Index, Index> shape_of(const py::object& x) {
  const py::tuple shape = x.attr("shape");
  if (shape.size() != 2) refuse_type("a matrix has two dimensions");
  return {shape[0].cast<Index>(), shape[1].cast<Index>()};
}

/// Columns in 32 bits, in place where they have these. SciPy takes 64 for both kinds of numbers as
/// soon as one of them needs it.
Packed<std::int32_t> columns_of(const py::object& x, Index cols) {
  const py::object columns = x.attr("indices");
  if (!py::isinstance<py::array_t<std::int64_t>>(columns)) {
    return Packed<std::int32_t>::ensure(columns);
  }
  const auto wide = Packed<std::int64_t>::ensure(columns);
  Packed<std::int32_t> narrow(wide.size());
  std::transform(wide.data(), wide.data() + wide.size(), narrow.mutable_data(),
                 [cols](std::int64_t column) {
                   const bool is_column = column >= 0 && column < cols;
                   return is_column ? static_cast<std::int32_t>(column) : -1;
                 });
  return narrow;
}

/// The parts of a SciPy matrix. Positions and columns are converted where their types differ.
struct CsrParts {
  explicit CsrParts(const py::object& x)
      : row_start(Packed<Index>::ensure(x.attr("indptr"))), data(x.attr("data").cast<py::array>()) {
    std::tie(rows, cols) = shape_of(x);
    if (cols > std::numeric_limits<std::int32_t>::max()) {
      throw py::value_error("a sparse matrix may have 2147483647 columns, got " +
                            std::to_string(cols));
    }
    column = columns_of(x, cols);
    if (!row_start || !column || row_start.ndim() != 1 || column.ndim() != 1 ||
        row_start.size() != rows + 1 || data.ndim() != 1 || data.size() != column.size() ||
        row_start.data()[0] != 0 || row_start.data()[rows] != column.size() ||
        !std::is_sorted(row_start.data(), row_start.data() + rows + 1)) {
      throw py::value_error("the parts of the sparse matrix do not fit together");
    }
  }

  /// What is read in place must not lead outside of it.
  void check_columns() const {
    if (rows_ascend({rows, cols, row_start.data(), column.data()}, 0, rows)) return;
    throw py::value_error(
        "the columns in each row of a sparse matrix must ascend and lie within its shape");
  }

  Index rows = 0, cols = 0;
  Packed<Index> row_start;
  Packed<std::int32_t> column;
  py::array data;
};

/// Keeps Python objects alive; whoever lets go of them last need not hold the interpreter's lock.
template <class Objects>
std::shared_ptr<const void> shared(Objects objects) {
  return std::shared_ptr<const void>(new Objects(std::move(objects)), [](const void* memory) {
    const py::gil_scoped_acquire lock;
    delete static_cast<const Objects*>(memory);
  });
}

template <class Real>
Features dense_features(const Packed<Real>& x) {
  return {DenseView<Real>{x.shape(0), x.shape(1), x.data()}, shared(x)};
}

template <class Real>
Features sparse_features(const CsrParts& parts, const Packed<Real>& values) {
  return {CsrView<Real>{parts.rows, parts.cols, parts.row_start.data(), parts.column.data(),
                        values.data()},
          shared(parts)};
}

enum class Columns { checked, as_they_are };

Features features_in(const py::object& x, Columns columns) {
  if (is_csr(x)) {
    const CsrParts parts(x);
    if (columns == Columns::checked) parts.check_columns();
    if (py::isinstance<Packed<float>>(parts.data)) {
      return sparse_features(parts, Packed<float>(parts.data));
    }
    if (py::isinstance<Packed<double>>(parts.data)) {
      return sparse_features(parts, Packed<double>(parts.data));
    }
    refuse_type("the values of a sparse matrix must be float32 or float64");
  }
  if (py::isinstance<py::array>(x) && x.attr("ndim").cast<int>() == 2) {
    if (py::isinstance<Packed<float>>(x)) return dense_features(Packed<float>(x));
    if (py::isinstance<Packed<double>>(x)) return dense_features(Packed<double>(x));
  }
  refuse_type(
      "a matrix must be an array of float32 or float64 in C order, or a sparse one in CSR format");
}

/// Calls fn(array of the type it has); types that are not listed become double.
template <class Function>
void with_numbers(const py::array& values, const Function& fn) {
  const auto try_type = [&]<class Value>(Value) {
    if (!py::isinstance<py::array_t<Value>>(values)) return false;
    fn(py::array_t<Value>(values));
    return true;
  };
  if (try_type(bool{}) || try_type(std::int8_t{}) || try_type(std::uint8_t{}) ||
      try_type(std::int32_t{}) || try_type(std::int64_t{}) || try_type(float{})) {
    return;
  }
  const auto doubles = py::array_t<double>::ensure(values);
  if (!doubles) throw py::error_already_set();
  fn(doubles);
}

/// Takes labels row by row.
class LabelReader {
 public:
  explicit LabelReader(Index cols) {
    labels_.y.cols = cols;
    labels_.unknown.cols = cols;
  }

  template <class Value>
  void take(Index label, Value value) {
    if (value == Value{0}) return;
    if (value == Value{1}) {
      labels_.y.column.push_back(static_cast<LabelId>(label));
    } else if (value != value) {
      labels_.unknown.column.push_back(static_cast<LabelId>(label));
    } else {
      refuse(label, static_cast<double>(value));
    }
  }

  void end_row() {
    labels_.y.end_row();
    labels_.unknown.end_row();
  }

  KnownLabels finish() {
    if (labels_.unknown.ones() == 0) labels_.unknown = {};
    return std::move(labels_);
  }

 private:
  [[noreturn]] void refuse(Index label, double value) const {
    throw py::value_error("Y must hold 0, 1, or NaN where a label is not known; got " +
                          py::str(py::float_(value)).cast<std::string>() + " for label " +
                          std::to_string(label) + " of example " +
                          std::to_string(labels_.y.rows()));
  }

  KnownLabels labels_;
};

KnownLabels dense_labels(const py::array& y) {
  if (y.ndim() != 2) refuse_type("Y must have two dimensions");
  LabelReader reader(y.shape(1));
  with_numbers(y, [&](const auto& values) {
    const auto at = values.template unchecked<2>();
    for (Index i = 0; i < at.shape(0); ++i) {
      for (Index j = 0; j < at.shape(1); ++j) reader.take(j, at(i, j));
      reader.end_row();
    }
  });
  return reader.finish();
}

KnownLabels sparse_labels(const CsrParts& parts) {
  LabelReader reader(parts.cols);
  with_numbers(parts.data, [&](const auto& values) {
    const auto at = values.template unchecked<1>();
    for (Index i = 0; i < parts.rows; ++i) {
      for (Index k = parts.row_start.data()[i]; k < parts.row_start.data()[i + 1]; ++k) {
        reader.take(parts.column.data()[k], at(k));
      }
      reader.end_row();
    }
  });
  return reader.finish();
}

/// A number times zero is zero, unless it is not finite. In many sums, for the compiler may not
/// rearrange one.
template <class Real>
bool all_finite_of(const Packed<Real>& numbers) {
  constexpr Index kSums = 64 / sizeof(Real) * 4;
  const Real* const at = numbers.data();
  Real sums[as_size(kSums)] = {};
  Index k = 0;
  for (; k + kSums <= numbers.size(); k += kSums) {
    for (Index j = 0; j < kSums; ++j) sums[j] += at[k + j] * Real{0};
  }
  for (; k < numbers.size(); ++k) sums[0] += at[k] * Real{0};
  return std::ranges::all_of(sums, [](Real sum) { return sum == Real{0}; });
}

/// Both index arrays in one type, as SciPy wants them.
py::tuple parts_of(py::array data, std::span<const std::int32_t> column,
                   std::span<const Index> row_start, Index cols) {
  const auto shape = py::make_tuple(std::ssize(row_start) - 1, cols);
  const auto count = std::ssize(column);
  if (count > std::numeric_limits<std::int32_t>::max()) {
    py::array_t<Index> wide(count);
    std::copy(column.begin(), column.end(), wide.mutable_data());
    return py::make_tuple(std::move(data), wide,
                          py::array_t<Index>(std::ssize(row_start), row_start.data()), shape);
  }
  py::array_t<std::int32_t> narrow(std::ssize(row_start));
  std::transform(row_start.begin(), row_start.end(), narrow.mutable_data(),
                 [](Index start) { return static_cast<std::int32_t>(start); });
  return py::make_tuple(std::move(data), py::array_t<std::int32_t>(count, column.data()), narrow,
                        shape);
}

}  // namespace

Features features_from(const py::object& x) { return features_in(x, Columns::checked); }
Features features_to_score(const py::object& x) { return features_in(x, Columns::as_they_are); }

bool all_finite(const py::array& numbers) {
  if (py::isinstance<Packed<float>>(numbers)) return all_finite_of(Packed<float>(numbers));
  if (py::isinstance<Packed<double>>(numbers)) return all_finite_of(Packed<double>(numbers));
  refuse_type("expected an array of float32 or float64 in C order");
}

bool is_proper_csr(const py::object& x) {
  if (!is_csr(x)) return false;
  for (const char* const part : {"data", "indices", "indptr"}) {
    if (!py::isinstance<py::array>(x.attr(part))) return false;
  }
  try {
    const CsrParts parts(x);
    const auto is_column = [&](std::int32_t column) { return column >= 0 && column < parts.cols; };
    return std::all_of(parts.column.data(), parts.column.data() + parts.column.size(), is_column);
  } catch (const py::builtin_exception&) {
    return false;
  }
}

KnownLabels labels_from(const py::object& y) {
  if (is_csr(y)) {
    const CsrParts parts(y);
    parts.check_columns();
    return sparse_labels(parts);
  }
  if (!py::isinstance<py::array>(y)) refuse_type("Y must be an array or a CSR matrix");
  return dense_labels(py::array(y));
}

Dataset dataset_from(const py::object& x, const py::object& y) {
  KnownLabels labels = labels_from(y);
  Dataset data{
      .x = features_from(x), .y = std::move(labels.y), .unknown = std::move(labels.unknown)};
  if (data.x.rows() == data.y.rows()) return data;
  throw UsageError("X has " + std::to_string(data.x.rows()) + " rows, Y has " +
                   std::to_string(data.y.rows()));
}

py::array_t<double> array_from(Matrix<double>&& matrix) {
  auto owned = std::make_unique<Matrix<double>>(std::move(matrix));
  const auto* const at = owned.get();
  const py::capsule owner(owned.release(),
                          [](void* memory) { delete static_cast<Matrix<double>*>(memory); });
  return py::array_t<double>({at->rows(), at->cols()}, at->data(), owner);
}

py::tuple csr_parts(const CsrMatrix<double>& matrix) {
  return parts_of(py::array_t<double>(std::ssize(matrix.value), matrix.value.data()), matrix.column,
                  matrix.row_start, matrix.cols);
}

py::tuple csr_parts(const BinaryMatrix& matrix) {
  py::array_t<std::uint8_t> ones(matrix.ones());
  std::fill_n(ones.mutable_data(), matrix.ones(), std::uint8_t{1});
  return parts_of(ones, matrix.column, matrix.row_start, matrix.cols);
}

py::object array_or_csr_parts(Features&& features) {
  if (features.is_sparse()) return csr_parts(features.sparse());
  return array_from(std::move(features.dense()));
}

py::object array_or_csr_parts(const Features& features) {
  return features.visit([]<class View>(const View& x) -> py::object {
    using Value = typename View::Value;
    if constexpr (requires { x.row_start; }) {
      const CsrPattern pattern = x.pattern();
      assert(pattern.first() == 0);
      return parts_of(py::array_t<Value>(pattern.stored(), x.value),
                      {x.column, as_size(pattern.stored())}, {x.row_start, as_size(x.rows) + 1},
                      x.cols);
    } else {
      return py::array_t<Value>({x.rows, x.cols}, x.data);
    }
  });
}

}  // namespace mugrad::python

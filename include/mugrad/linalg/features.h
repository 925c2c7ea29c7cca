// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>
#include <mugrad/linalg/matrix.h>
#include <mugrad/linalg/sparse_matrix.h>

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace mugrad {

// Non-owning views of matrices, cheap to copy. Real is float or double.

/// A dense matrix, row by row without gaps.
template <class Real>
struct DenseView {
  using Value = Real;
  Index rows = 0, cols = 0;
  const Real* data = nullptr;

  std::span<const Real> row(Index row) const noexcept { return {data + row * cols, as_size(cols)}; }
};

/// The positions of the entries of a sparse matrix, row by row. The columns of each row are
/// strictly ascending.
struct CsrPattern {
  Index rows = 0, cols = 0;
  /// rows + 1 positions into column. The first need not be 0, so a view can show some rows of a
  /// matrix. May be null if there are no rows.
  const Index* row_start = nullptr;
  const std::int32_t* column = nullptr;

  Index first() const noexcept { return rows == 0 ? 0 : row_start[0]; }
  Index stored() const noexcept { return rows == 0 ? 0 : row_start[rows] - row_start[0]; }
  std::span<const std::int32_t> row_columns(Index row) const noexcept {
    return {column + row_start[row], as_size(row_start[row + 1] - row_start[row])};
  }
};

/// A sparse matrix: the pattern and its values. Entries may be zero.
template <class Real>
struct CsrView {
  using Value = Real;
  Index rows = 0, cols = 0;
  const Index* row_start = nullptr;  ///< as in CsrPattern
  const std::int32_t* column = nullptr;
  const Real* value = nullptr;

  CsrPattern pattern() const noexcept { return {rows, cols, row_start, column}; }
  std::span<const std::int32_t> row_columns(Index row) const noexcept {
    return pattern().row_columns(row);
  }
  std::span<const Real> row_values(Index row) const noexcept {
    return {value + row_start[row], as_size(row_start[row + 1] - row_start[row])};
  }
};

/// A feature matrix, one example per row, dense or sparse as it was given. It owns its values, in
/// double, or borrows them, in float or double, without copying or changing them. Equal values give
/// equal results, owned or borrowed.
class Features {
 public:
  Features() = default;
  Features(Matrix<double> dense) : storage_(std::move(dense)) {}
  Features(CsrMatrix<double> sparse) : storage_(std::move(sparse)) {}
  /// Borrows the viewed values. `owner` keeps them alive as long as these features and their
  /// copies; if it is null, the caller must. The values must not change in that time.
  Features(DenseView<float> dense, std::shared_ptr<const void> owner);
  Features(DenseView<double> dense, std::shared_ptr<const void> owner);
  Features(CsrView<float> sparse, std::shared_ptr<const void> owner);
  Features(CsrView<double> sparse, std::shared_ptr<const void> owner);
  /// Keeps values in single precision; copies of these features share them.
  Features(Matrix<float> dense);
  Features(CsrMatrix<float> sparse);

  Index rows() const noexcept;
  Index cols() const noexcept;
  bool is_sparse() const noexcept;
  bool is_borrowed() const noexcept { return storage_.index() >= kFirstBorrowed; }
  /// Number of entries that are not zero.
  Index nonzeros() const noexcept;
  /// Number of stored entries: all of a dense matrix.
  Index stored() const noexcept;

  /// Calls fn(view) with a DenseView or CsrView of float or double, and returns its result.
  template <class Function>
  decltype(auto) visit(Function&& fn) const {
    return std::visit(
        [&](const auto& matrix) -> decltype(auto) {
          return std::forward<Function>(fn)(view_of(matrix));
        },
        storage_);
  }
  /// The positions of the entries. Requires: is_sparse().
  CsrPattern pattern() const;

  /// The owned matrix. Requires: !is_borrowed() and !is_sparse().
  const Matrix<double>& dense() const { return std::get<Matrix<double>>(storage_); }
  Matrix<double>& dense() { return std::get<Matrix<double>>(storage_); }
  /// The owned matrix. Requires: !is_borrowed() and is_sparse().
  const CsrMatrix<double>& sparse() const { return std::get<CsrMatrix<double>>(storage_); }
  CsrMatrix<double>& sparse() { return std::get<CsrMatrix<double>>(storage_); }

  /// Adds columns of zeros at the end. Requires: is_sparse() and cols >= cols().
  void widen(Index cols);

  /// Calls fn(column, value) for the entries of a row in ascending order; zeros may be skipped.
  template <class Function>
  void for_each_in_row(Index row, Function&& fn) const {
    visit([&](const auto& x) { for_each_entry_of(x, row, fn); });
  }

  /// Whether both are sparse or both dense and store the same entries, owned or borrowed.
  bool operator==(const Features& other) const;

 private:
  static DenseView<double> view_of(const Matrix<double>& matrix) noexcept {
    return {matrix.rows(), matrix.cols(), matrix.data()};
  }
  static CsrView<double> view_of(const CsrMatrix<double>& matrix) noexcept {
    return {matrix.rows(), matrix.cols, matrix.row_start.data(), matrix.column.data(),
            matrix.value.data()};
  }
  template <class View>
  static const View& view_of(const View& view) noexcept {
    return view;
  }

  template <class Real, class Function>
  static void for_each_entry_of(const CsrView<Real>& x, Index row, Function& fn) {
    for (Index k = x.row_start[row]; k < x.row_start[row + 1]; ++k) {
      fn(FeatureId{x.column[k]}, static_cast<double>(x.value[k]));
    }
  }
  template <class Real, class Function>
  static void for_each_entry_of(const DenseView<Real>& x, Index row, Function& fn) {
    const Real* const values = x.data + row * x.cols;
    for (Index k = 0; k < x.cols; ++k) {
      fn(static_cast<FeatureId>(k), static_cast<double>(values[k]));
    }
  }

  static constexpr std::size_t kFirstBorrowed = 2;
  std::variant<Matrix<double>, CsrMatrix<double>, DenseView<float>, DenseView<double>,
               CsrView<float>, CsrView<double>>
      storage_;
  std::shared_ptr<const void> owner_;  ///< of borrowed values
};

/// A copy of the selected rows, in the given order and the same precision; it owns its values.
Features select_rows(const Features& features, std::span<const Index> rows);

/// Adjacent features that count the terms of one text.
struct TermBlock {
  Index first = 0;
  Index count = 0;

  bool operator==(const TermBlock&) const = default;
};

/// A division of columns into parts of a row that are scaled to a length each. Other columns are in
/// no part.
struct ScaledParts {
  static constexpr Index kNone = -1;

  /// Adjacent columns, from the end of the run before.
  struct Run {
    Index end = 0;
    Index part = kNone;
  };

  std::vector<double> length = {};  ///< of each part, > 0
  std::vector<Run> runs = {};       ///< ascending; columns after the last are in no part

  /// One part that has every column.
  static ScaledParts whole(double length);
  bool is_empty() const noexcept { return length.empty(); }
};

/// How input features become those of linear tasks: (x - shift) * factor. The parts of each row are
/// then scaled to their lengths; features in parts have no shift.
struct FeatureTransform {
  std::vector<double> shift = {};   ///< one per feature, or empty: 0
  std::vector<double> factor = {};  ///< one per feature, or empty: 1
  ScaledParts parts = {};
};

}  // namespace mugrad

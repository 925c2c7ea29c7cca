// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/csr.h>
#include <mugrad/linalg/matrix.h>
#include <mugrad/linalg/views.h>

#include <memory>
#include <span>
#include <utility>
#include <variant>

namespace mugrad {

/// A feature matrix, one example per row, dense or sparse as it came. It owns its values, in
/// double, or borrows them from whoever has them, in float or double: then they are neither copied
/// nor written to. What is computed from the same values is the same for all.
class Features {
 public:
  Features() = default;
  Features(Matrix<double> dense) : storage_(std::move(dense)) {}
  Features(CsrMatrix<double> sparse) : storage_(std::move(sparse)) {}
  /// Borrows what the view shows. `owner` keeps it alive as long as these features and their
  /// copies; null: the caller does. It must not change in that time.
  Features(DenseView<float> dense, std::shared_ptr<const void> owner);
  Features(DenseView<double> dense, std::shared_ptr<const void> owner);
  Features(CsrView<float> sparse, std::shared_ptr<const void> owner);
  Features(CsrView<double> sparse, std::shared_ptr<const void> owner);
  /// Values that stay in single precision: borrowed from what copies of these features share.
  Features(Matrix<float> dense);
  Features(CsrMatrix<float> sparse);

  Index rows() const noexcept;
  Index cols() const noexcept;
  bool is_sparse() const noexcept;
  bool is_borrowed() const noexcept { return storage_.index() >= kFirstBorrowed; }
  /// Entries that are not zero.
  Index nonzeros() const noexcept;
  /// Entries that are stored: all of a dense matrix.
  Index stored() const noexcept;

  /// Calls fn(view), where the view is a DenseView or a CsrView of float or double, and returns
  /// what it does.
  template <class Function>
  decltype(auto) visit(Function&& fn) const {
    return std::visit(
        [&](const auto& matrix) -> decltype(auto) {
          return std::forward<Function>(fn)(view_of(matrix));
        },
        storage_);
  }
  /// Where the entries are. Requires: is_sparse().
  CsrPattern pattern() const;

  /// What is owned. Requires: !is_borrowed() and !is_sparse().
  const Matrix<double>& dense() const { return std::get<Matrix<double>>(storage_); }
  Matrix<double>& dense() { return std::get<Matrix<double>>(storage_); }
  /// What is owned. Requires: !is_borrowed() and is_sparse().
  const CsrMatrix<double>& sparse() const { return std::get<CsrMatrix<double>>(storage_); }
  CsrMatrix<double>& sparse() { return std::get<CsrMatrix<double>>(storage_); }

  /// Adds columns of zeros at the end. Requires: is_sparse() and cols >= cols().
  void widen(Index cols);

  /// Calls fn(column, value) for the entries of a row, ascending; zeros may be passed over.
  template <class Function>
  void for_each_in_row(Index row, Function&& fn) const {
    visit([&](const auto& x) { for_each_entry_of(x, row, fn); });
  }

  /// Whether both are sparse or both dense and store the same entries, whoever owns them.
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
  std::shared_ptr<const void> owner_;  ///< of what is borrowed
};

/// The chosen rows, in the order given, in the precision they have: a copy that needs
/// no other owner.
Features select_rows(const Features& features, std::span<const Index> rows);

}  // namespace mugrad

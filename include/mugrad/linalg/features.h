// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/csr.h>
#include <mugrad/linalg/matrix.h>

#include <span>
#include <variant>

namespace mugrad {

/// A feature matrix, one example per row, dense or sparse as it came.
class Features {
 public:
  Features() = default;
  Features(Matrix<double> dense) : storage_(std::move(dense)) {}
  Features(CsrMatrix<double> sparse) : storage_(std::move(sparse)) {}

  Index rows() const noexcept;
  Index cols() const noexcept;
  bool is_sparse() const noexcept { return std::holds_alternative<CsrMatrix<double>>(storage_); }
  /// Entries that are not zero.
  Index nonzeros() const noexcept;

  /// Requires: !is_sparse().
  const Matrix<double>& dense() const { return std::get<Matrix<double>>(storage_); }
  Matrix<double>& dense() { return std::get<Matrix<double>>(storage_); }
  /// Requires: is_sparse().
  const CsrMatrix<double>& sparse() const { return std::get<CsrMatrix<double>>(storage_); }
  CsrMatrix<double>& sparse() { return std::get<CsrMatrix<double>>(storage_); }

  /// Calls fn(column, value) for the entries of a row, ascending; zeros may be passed over.
  template <class Function>
  void for_each_in_row(Index row, Function&& fn) const {
    if (is_sparse()) {
      const auto columns = sparse().row_columns(row);
      const auto values = sparse().row_values(row);
      for (std::size_t k = 0; k < columns.size(); ++k) fn(columns[k], values[k]);
    } else {
      const auto values = dense().row(row);
      for (std::size_t k = 0; k < values.size(); ++k) fn(static_cast<FeatureId>(k), values[k]);
    }
  }

  bool operator==(const Features&) const = default;

 private:
  std::variant<Matrix<double>, CsrMatrix<double>> storage_;
};

/// The chosen rows, in the order given.
Features select_rows(const Features& features, std::span<const Index> rows);

}  // namespace mugrad

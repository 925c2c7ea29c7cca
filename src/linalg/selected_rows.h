// SPDX-License-Identifier: MIT
#pragma once

#include "linalg/pass/design.h"

#include <cstdint>
#include <span>
#include <vector>

namespace mugrad {

/// A few rows of a design, without the ones and before the shift, restricted to the features that
/// occur in them. Products cost the number of stored entries.
class SelectedRows {
 public:
  /// `design` must outlive it.
  explicit SelectedRows(const Design<double>& design);

  /// Selects the rows to multiply: those of one list, then those of the other.
  void select(std::span<const std::int32_t> rows, std::span<const std::int32_t> more_rows);

  Index rows() const noexcept { return rows_; }
  Index cols() const noexcept { return std::ssize(features_); }
  /// The feature of each column.
  std::span<const FeatureId> features() const noexcept { return features_; }

  /// out = X v.
  void multiply(std::span<const double> v, std::span<double> out) const noexcept;
  /// out = X' v.
  void multiply_transposed(std::span<const double> v, std::span<double> out) const noexcept;
  /// out = (X squared entry by entry)' v.
  void multiply_squares(std::span<const double> v, std::span<double> out) const noexcept;

 private:
  void add_dense_row(Index row);
  void add_sparse_row(Index row);
  template <class Function>
  void for_each_row(const Function& fn) const;
  template <class Term>
  void sum_columns(std::span<const double> v, std::span<double> out,
                   const Term& term) const noexcept;

  const Design<double>& design_;
  Index rows_ = 0;
  std::vector<FeatureId> features_;
  std::vector<std::int32_t> position_;  ///< of each feature among the columns, or -1
  std::vector<Index> row_start_;        ///< as in a CsrMatrix
  std::vector<std::int32_t> column_;    ///< empty: rows store every column
  std::vector<double> value_;
};

}  // namespace mugrad

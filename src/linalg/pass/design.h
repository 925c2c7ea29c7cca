// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/features.h>

#include <span>
#include <vector>

namespace mugrad {

/// The size of a design.
struct DesignShape {
  Index rows = 0;
  Index cols = 0;    ///< the features and the column of ones
  Index stored = 0;  ///< entries: all of a dense matrix, the non-zeros of a sparse one
  bool is_sparse = false;
};

/// The matrix [1 X] that linear tasks share: a column of ones, then the transformed features. Dense
/// features are transformed directly. Sparse features stay sparse: the factor is applied to the
/// stored values, and the shift in products, (X - 1 m') W = X W - 1 (m' W). Only features far from
/// zero are shifted directly.
template <class Real>
class Design {
 public:
  Design(const Features& x, const FeatureTransform& transform);

  /// The memory of a design of this shape, in bytes.
  static double bytes(const DesignShape& shape) noexcept;

  DesignShape shape() const noexcept;
  Index rows() const noexcept { return rows_; }
  /// The features and the column of ones.
  Index cols() const noexcept { return cols_; }
  bool is_sparse() const noexcept { return is_sparse_; }

  /// rows() x cols(). Requires: !is_sparse().
  const Matrix<Real>& dense() const noexcept { return dense_; }
  /// rows() x (cols() - 1), without the ones and before the shift. Requires: is_sparse().
  const CsrMatrix<Real>& sparse() const noexcept { return sparse_; }
  /// Subtracted from each feature of sparse(); empty: nothing.
  std::span<const double> shift() const noexcept { return shift_; }

  /// out = the mean over the rows of a a' v, where a' is a row of [1 X]. Rows are weighted by
  /// `row_weights`; empty: equally.
  void gram_product(std::span<const double> v, std::span<double> out,
                    std::span<const double> row_weights = {}) const;
  /// The mean over the rows of the square of each feature.
  std::vector<double> mean_squares(std::span<const double> row_weights = {}) const;

 private:
  void gram_product_dense(std::span<const double> v, std::span<double> out,
                          std::span<const double> row_weights) const;
  void gram_product_sparse(std::span<const double> v, std::span<double> out,
                           std::span<const double> row_weights) const;
  double total_weight(std::span<const double> row_weights) const noexcept;

  Index rows_;
  Index cols_;
  bool is_sparse_;
  Matrix<Real> dense_;
  CsrMatrix<Real> sparse_;
  std::vector<double> shift_;
};

/// Calls fn(column, value) for the entries of a row of [1 X], before the shift.
template <class Real, class Function>
void for_each_entry(const Design<Real>& design, Index row, Function&& fn) {
  if (!design.is_sparse()) {
    const auto values = design.dense().row(row);
    for (std::size_t k = 0; k < values.size(); ++k) fn(as_index(k), values[k]);
    return;
  }
  fn(Index{0}, Real{1});
  const auto columns = design.sparse().row_columns(row);
  const auto values = design.sparse().row_values(row);
  for (std::size_t k = 0; k < columns.size(); ++k) fn(Index{columns[k]} + 1, values[k]);
}

}  // namespace mugrad

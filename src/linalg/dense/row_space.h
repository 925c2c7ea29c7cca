// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/features.h>
#include <mugrad/linalg/matrix.h>

#include <vector>

namespace mugrad {

/// The space spanned by the rows of transformed features, with an orthonormal basis V: the weights
/// of penalised linear tasks lie in it. With fewer rows than features, tasks over the coordinates
/// X V of the rows are smaller, and have the same losses, penalties and lengths of weights.
class RowSpace {
 public:
  /// Whether solving in the row space is less work: a pass over the coordinates costs at most half
  /// of one over the features, and there are few enough rows to decompose their products.
  static bool pays(Index rows, Index stored) noexcept;
  /// The bytes that it allocates at most.
  static double bytes(Index rows, Index features) noexcept;

  RowSpace(const Features& x, const FeatureTransform& transform);

  /// The rows in the basis, n x r.
  const Matrix<double>& coordinates() const noexcept { return coordinates_; }
  /// From (r + 1) x T, with the intercepts in row 0, to (p + 1) x T.
  template <class Real>
  Matrix<Real> expanded(const Matrix<Real>& weights) const;
  /// From (p + 1) x T to (r + 1) x T: the part of the weights within the space.
  Matrix<double> projected(const Matrix<double>& weights) const;

 private:
  Matrix<double> rows_;         ///< transformed, n x p
  Matrix<double> combination_;  ///< n x r: V = rows_' combination_
  Matrix<double> coordinates_;
};

}  // namespace mugrad

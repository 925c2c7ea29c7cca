// SPDX-License-Identifier: MIT
#pragma once

#include "solver/row_parts.h"

#include <mugrad/linalg/matrix.h>
#include <mugrad/parallel/thread_pool.h>

#include <span>
#include <vector>

namespace mugrad {

/// The generalised minimal residual method (GMRES, Saad and Schultz 1986) for A x = b: an
/// orthonormal basis of b, A b, A^2 b, ..., and its combination with the least residual.
template <class Real>
class KrylovSpace {
 public:
  /// For at most `most` products. Memory for a product is allocated when it is first needed, and
  /// kept.
  KrylovSpace(Index rows, Index cols, Index most, ThreadPool& pool);

  /// Restarts from b.
  void begin(const Matrix<Real>& b);
  /// The next vector to multiply by A.
  const Matrix<Real>& last() const noexcept { return basis_[count_]; }
  /// Receives A times last(), which it may overwrite.
  void extend(Matrix<Real>& product);
  /// |b - A x| / |b| of the best x so far.
  double relative_residual() const noexcept;
  /// Whether further products cannot improve the solution.
  bool is_exhausted() const noexcept { return exhausted_; }
  Index size() const noexcept { return as_index(count_); }
  void solution(Matrix<Real>& x);

  double dot(const Matrix<Real>& a, const Matrix<Real>& b);

 private:
  template <class Change>
  void change_entries(const Matrix<Real>& from, Matrix<Real>& to, const Change& change) const;
  void add(Real factor, const Matrix<Real>& from, Matrix<Real>& to) const;
  void scale_into(Real factor, const Matrix<Real>& from, Matrix<Real>& to) const;
  void rotate(std::span<double> column);

  ThreadPool& pool_;
  RowParts parts_;
  PartSums part_sums_;
  std::vector<double> column_sums_;
  std::vector<Matrix<Real>> basis_;            ///< one more than count_
  std::size_t count_ = 0;                      ///< columns of the triangle
  Matrix<double> triangle_;                    ///< upper triangular, stored transposed
  std::vector<double> cosine_, sine_, right_;  ///< rotations, and the rotated right-hand side
  std::vector<double> factors_;                ///< of the basis, in the solution
  double length_ = 0;                          ///< |b|
  bool exhausted_ = false;
};

}  // namespace mugrad

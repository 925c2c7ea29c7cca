// SPDX-License-Identifier: MIT
#pragma once

#include "solver/preconditioner.h"
#include "solver/row_parts.h"

#include <mugrad/linalg/matrix.h>
#include <mugrad/parallel/thread_pool.h>

#include <algorithm>
#include <span>
#include <vector>

namespace mugrad {

/// The tasks that inner products are taken over.
enum class Grouping {
  each,      ///< every task alone
  together,  ///< all tasks, weighted
};

/// The last few moves s and the corresponding changes y of the field, and the L-BFGS direction from
/// them and a preconditioner (Nocedal 1980). Columns are tasks; each has its own coefficients, or
/// all have the same. Products between the pairs are stored, so that a direction reads every pair
/// twice and writes one matrix.
template <class Real>
class CurvaturePairs {
 public:
  static constexpr Index kMost = 10;

  explicit CurvaturePairs(ThreadPool& pool) : pool_(pool) {}
  /// `weights` of the columns if they are grouped together.
  CurvaturePairs(Index rows, Index cols, Grouping grouping, std::span<const double> weights,
                 ThreadPool& pool)
      : pool_(pool) {
    begin(rows, cols, grouping, weights);
  }

  /// The memory of pairs with this many rows and columns, in bytes.
  static double bytes(Index rows, Index cols) noexcept;

  /// Restarts without pairs, in the existing memory.
  void begin(Index rows, Index cols, Grouping grouping, std::span<const double> weights);

  /// Storage for the next pair, that of the oldest if there are kMost. The caller fills in both,
  /// calls measure(), decides, and calls add().
  Matrix<Real>& next_move() noexcept { return moves_[next_slot()]; }
  Matrix<Real>& next_change() noexcept { return changes_[next_slot()]; }
  void measure();
  /// s.y of the measured pair, for each column.
  std::span<const double> change_along_move() const noexcept;
  /// Adds the pair. `slopes` are s.F before the move; F has changed by y where `accepted`.
  void add(std::span<const double> slopes, std::span<const char> accepted);

  /// direction = -H field for the columns that are `wanted`, where H is the L-BFGS inverse based on
  /// the preconditioner; slopes = direction.F of these.
  void direction(const Matrix<Real>& field, Preconditioner<Real>& preconditioner,
                 std::span<const char> wanted, Matrix<Real>& direction, std::span<double> slopes);

  /// Discards the pairs of one column.
  void forget(Index column) noexcept;
  /// Keeps only the given columns.
  void keep_columns(std::span<const Index> kept);

 private:
  std::size_t next_slot() const noexcept { return as_size(added_ % kMost); }
  Index count() const noexcept { return std::min<Index>(added_, kMost); }
  /// The slot of the pair of this age; 0 is the newest.
  std::size_t slot(Index age) const noexcept { return as_size((added_ - 1 - age) % kMost); }
  /// The numbers of a slot, one per column.
  double* of(std::vector<double>& numbers, std::size_t slot) const noexcept {
    return numbers.data() + slot * as_size(cols_);
  }
  double* product(std::size_t move, std::size_t change) noexcept {
    return of(products_, move * kMost + change);
  }
  /// dots_ = the products of each matrix with `with`, column by column or together.
  void dot_all(std::span<const Matrix<Real>* const> matrices, const Matrix<Real>& with);
  void compute_first_factors();
  void compute_second_factors();
  void round_factors(const std::vector<double>& factors, double sign);

  Index cols_ = 0;
  Grouping grouping_ = Grouping::each;
  std::vector<double> weights_;
  ThreadPool& pool_;
  Index added_ = 0;
  std::vector<Matrix<Real>> moves_, changes_;
  std::vector<double> products_;        ///< s_i . y_j, by (i, j, column)
  std::vector<double> move_slopes_;     ///< s_i . F, by (i, column)
  std::vector<double> inverse_;         ///< 1 / s_i.y_i, or 0: the pair is not usable
  std::vector<double> first_, second_;  ///< alpha_i and alpha_i - beta_i of the formula
  std::vector<Real> factors_;           ///< one of the two, rounded, by (age, column)
  std::vector<double> dots_;
  PartSums part_sums_;
  Matrix<Real> turned_, preconditioned_;
};

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#pragma once

#include "solver/curvature_pairs.h"
#include "solver/row_parts.h"

#include <mugrad/linalg/matrix.h>
#include <mugrad/parallel/thread_pool.h>

#include <span>

namespace mugrad {

/// The memory of a quasi-Newton run, one column per open task: current point, trial point, and
/// curvature pairs. It is passed from run to run: only a run larger than all before allocates, and
/// a run that ends at its start needs only two of the matrices.
template <class Real>
struct QuasiNewtonSpace {
  explicit QuasiNewtonSpace(ThreadPool& threads) : pairs(threads), pool(threads) {}

  /// The memory for this many tasks, in bytes.
  static double bytes(Index parameters, Index tasks) noexcept;

  /// Starts at these weights.
  void begin(const Matrix<Real>& weights);
  /// Allocates what steps need.
  void make_room(Grouping grouping, std::span<const double> task_weights);

  /// trial = current + step direction, with one step length per column.
  void step(std::span<const Real> steps);
  /// Stores the change of F from current to trial.
  void note_change();
  /// Discards the trial of a column.
  void drop_trial(Index column) noexcept;
  /// Moves the accepted columns to their trials.
  void accept(std::span<const char> accepted);

  void keep_columns(std::span<const Index> kept);
  RowParts parts() const noexcept { return {current.rows(), current.cols()}; }

  Matrix<Real> current, field;  ///< W and F(W)
  Matrix<Real> direction;
  Matrix<Real> trial, trial_field;  ///< W and F(W) at the trial point
  CurvaturePairs<Real> pairs;
  ThreadPool& pool;
};

}  // namespace mugrad

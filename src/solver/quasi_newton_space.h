// SPDX-License-Identifier: MIT
#pragma once

#include "solver/curvature_pairs.h"
#include "solver/row_parts.h"

#include <mugrad/linalg/matrix.h>
#include <mugrad/parallel/thread_pool.h>

#include <span>

namespace mugrad {

/// What a quasi-Newton run works in, a column per task that is open: where the tasks are, where
/// they try to go, and what they have learned on the way. It is to be handed from one run to the
/// next: only a run larger than all before allocates, and one that ends where it starts needs two
/// of the matrices alone.
template <class Real>
struct QuasiNewtonSpace {
  explicit QuasiNewtonSpace(ThreadPool& threads) : pairs(threads), pool(threads) {}

  /// The memory of one with so many tasks, in bytes.
  static double bytes(Index parameters, Index tasks) noexcept;

  /// Starts at these weights.
  void begin(const Matrix<Real>& weights);
  /// For steps from there.
  void make_room(Grouping grouping, std::span<const double> task_weights);

  /// trial = current + step direction, each column by its own step.
  void step(std::span<const Real> steps);
  /// Notes by how much F has changed from current to trial.
  void note_change();
  /// Makes nothing of the trial of a column.
  void drop_trial(Index column) noexcept;
  /// Moves the columns that are accepted to their trials.
  void accept(std::span<const char> accepted);

  void keep_columns(std::span<const Index> kept);
  RowParts parts() const noexcept { return {current.rows(), current.cols()}; }

  Matrix<Real> current, field;  ///< W and F(W)
  Matrix<Real> direction;
  Matrix<Real> trial, trial_field;  ///< W and F(W) where the step led
  CurvaturePairs<Real> pairs;
  ThreadPool& pool;
};

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/binary_matrix.h>
#include <mugrad/linalg/feature_transform.h>
#include <mugrad/objective/loss.h>
#include <mugrad/objective/task_set.h>
#include <mugrad/parallel/thread_pool.h>

#include <memory>
#include <vector>

namespace mugrad {

struct LinearTaskOptions {
  LossKind loss = LossKind::logistic;
  double rho = 0;             ///< L2 strength, per example; >= 0
  double l1 = 0;              ///< tau, strength of the smoothed L1, equation (3); >= 0
  double l1_sharpness = 100;  ///< a of equation (3); > 0
  /// What the loss of a task's positive examples is multiplied by, each > 0: one per task, or
  /// empty: 1.
  std::vector<double> positive_weights = {};
  /// Ones where a label is not known; null: all are known. A task's mean is over its known
  /// examples, of which each task must have one that counts.
  const BinaryMatrix* unknown = nullptr;
  /// How often each example counts, each >= 0: one per example, or empty: 1. Examples that count
  /// the same are best side by side.
  std::vector<double> row_weights = {};
  /// A row per feature: the tasks that may not use it; null: all may. Their weights of it must be
  /// zero, and stay so, as the gradient is, unless transfer moves them.
  const BinaryMatrix* unused = nullptr;
  /// What the sums over a task's examples are divided by, one per task, where the examples are but
  /// some of those that count; empty: its own examples.
  std::vector<double> examples = {};
  /// No call serves more tasks than this; 0: calls may serve all. How rows are cut, and with it the
  /// rounding of sums, follows from it and not from the number of tasks.
  Index most_at_once = 0;
};

/// Linear tasks whose L2 strength can be changed without looking at the data again.
template <class Real>
class LinearTaskSet : public TaskSet<Real> {
 public:
  /// Requires: rho >= 0.
  virtual void set_rho(double rho) = 0;
};

/// One linear task per label, equations (1) to (3), all on the same features: row 0 of W is the
/// unpenalised intercept, row k + 1 belongs to feature k. One pass over the features serves every
/// label; labels and sparse features stay sparse. Squared losses that differ in their labels alone
/// are computed from X'X where that is less work.
/// Requires: as many label rows as feature rows, at least one; no unknown label that is a one.
/// `labels`, `unknown`, `unused` and `pool` must outlive the tasks; the features are copied in the
/// precision of Real.
template <class Real>
std::unique_ptr<LinearTaskSet<Real>> linear_tasks(const Features& x,
                                                  const FeatureTransform& transform,
                                                  const BinaryMatrix& labels,
                                                  const LinearTaskOptions& options,
                                                  ThreadPool& pool);

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/features.h>
#include <mugrad/linalg/sparse_matrix.h>
#include <mugrad/objective/task_set.h>
#include <mugrad/parallel/thread_pool.h>

#include <memory>
#include <string_view>
#include <vector>

namespace mugrad {

/// The loss of a linear task.
enum class LossKind {
  logistic,  ///< equation (1)
  squared,   ///< equation (2)
};

std::string_view to_string(LossKind loss);
/// Throws UsageError listing the valid names.
LossKind loss_named(std::string_view name);

struct LinearTaskOptions {
  LossKind loss = LossKind::logistic;
  double rho = 0;             ///< L2 strength, per example; >= 0
  double l1 = 0;              ///< tau, strength of the smoothed L1, equation (3); >= 0
  double l1_sharpness = 100;  ///< a of equation (3); > 0
  /// Factors of the loss of positive examples, each > 0: one per task; empty: all 1.
  std::vector<double> positive_weights = {};
  /// Ones where a label is unknown; null: all are known. The loss of a task is the mean over its
  /// known examples; each task needs at least one with positive weight.
  const BinaryMatrix* unknown = nullptr;
  /// Weights of the examples, each >= 0; empty: all 1. Storing examples of equal weight side by
  /// side is fastest.
  std::vector<double> row_weights = {};
  /// For each feature, the tasks that may not use it; null: none. Their weights for it must be
  /// zero. They stay zero, because their gradient is zero, unless transfer changes them.
  const BinaryMatrix* unused = nullptr;
  /// Divisors of the sums over a task's examples, one per task, if `x` has only some of the
  /// examples; empty: the number of its examples in `x`.
  std::vector<double> examples = {};
  /// Maximum number of tasks per call; 0: all. It determines how rows are divided, and therefore
  /// how sums are rounded; the number of tasks does not.
  Index most_at_once = 0;
};

/// Linear tasks whose L2 strength can be changed without another pass over the data.
template <class Real>
class LinearTaskSet : public TaskSet<Real> {
 public:
  /// Requires: rho >= 0.
  virtual void set_rho(double rho) = 0;
};

/// One linear task per label, equations (1) to (3), all on the same features: row 0 of W is the
/// unpenalised intercept, and row k + 1 belongs to feature k. One pass over the features serves all
/// labels; labels and sparse features stay sparse. Squared losses that differ only in their labels
/// are computed from X'X if that is less work.
/// Requires: as many label rows as feature rows, at least one; no label that is both one and
/// unknown. `labels`, `unknown`, `unused` and `pool` must outlive the tasks; the features are
/// copied in the precision of Real.
template <class Real>
std::unique_ptr<LinearTaskSet<Real>> linear_tasks(const Features& x,
                                                  const FeatureTransform& transform,
                                                  const BinaryMatrix& labels,
                                                  const LinearTaskOptions& options,
                                                  ThreadPool& pool);

}  // namespace mugrad

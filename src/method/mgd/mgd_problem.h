// SPDX-License-Identifier: MIT
#pragma once

#include "linalg/dense/row_space.h"
#include "method/common/trainable_labels.h"

#include <mugrad/core/progress.h>
#include <mugrad/data/dataset.h>
#include <mugrad/method/mgd.h>
#include <mugrad/objective/linear_tasks.h>
#include <mugrad/transfer/transfer.h>

#include <memory>
#include <optional>
#include <span>

namespace mugrad {

/// The options for the tasks of these labels. `trainable` must outlive the result.
LinearTaskOptions task_options(const Dataset& data, const MgdOptions& options,
                               const TrainableLabels& trainable);

/// The transfer among the trainable labels and its strength. There is none yet if it must be
/// learned.
struct ChosenTransfer {
  TransferMatrix matrix;
  double sigma = 0;
};
/// Examples are weighted by `row_weights`; empty: equally.
ChosenTransfer transfer_for(const TrainableLabels& trainable, const MgdOptions& options,
                            std::span<const double> row_weights);
/// Whether labels borrow by a similarity that must be learned first.
bool learns_relations(const MgdOptions& options);
/// Whether the problem is solved in the space of the examples' rows (linalg/dense/row_space.h). Not
/// for the plain iteration, which is what its certificate speaks of.
bool uses_row_space(const DataShape& shape, const MgdOptions& options);
/// Whether the transfer is the complete equation (15), with equally weighted examples.
bool is_full_cosine(const Dataset& data, const MgdOptions& options,
                    const TrainableLabels& trainable);

/// The start of a label's intercept, unless it is random; all other parameters start at 0. `weight`
/// is that of its positives.
double start_of(const MgdOptions& options, double positives, double known, double weight);

/// The problem of MGD for a data set and options: the tasks of the trainable labels, the transfer
/// between them, and the start. If relations must be learned, every label has been trained alone.
/// `data` must outlive it.
template <class Real>
class MgdProblem {
 public:
  /// Throws UsageError and InputError as `fit` does. Updates `progress` between its steps, and
  /// while it learns relations.
  MgdProblem(const Dataset& data, const MgdOptions& options, Progress* progress = nullptr);

  /// Whether no label has both classes: there is nothing to solve, and tasks() and the following
  /// must not be called.
  bool is_empty() const noexcept { return trainable_.labels().cols == 0; }
  const TrainableLabels& trainable() const noexcept { return trainable_; }
  const Representation& representation() const noexcept { return representation_; }
  const TransferMatrix& matrix() const noexcept { return matrix_; }
  Intercepts intercepts() const noexcept { return intercepts_; }
  double sigma() const noexcept { return sigma_; }
  /// Sets another L2 strength and another strength of the transfer. Learned relations are learned
  /// again if rho has changed; returns whether they were. Requires: !is_empty(); both >= 0; sigma >
  /// 0 only if the problem was created with transfer.
  bool set_strengths(double rho, double sigma, Progress* progress = nullptr);

  /// Over the features, or over the coordinates of the row space; so are all weights below.
  TaskSet<Real>& tasks() noexcept { return *tasks_; }
  Transfer<Real>& transfer() noexcept { return *transfer_; }
  ThreadPool& pool() noexcept { return pool_; }
  /// The start by the options, without an initial model.
  Matrix<Real> start() const;
  /// The weights from which relations were learned, those of the initial model or of the prior, or
  /// start().
  Matrix<Real> first_weights() const;
  /// The number of passes that learning the relations took.
  Index passes_alone() const noexcept { return passes_alone_; }
  /// Null if tasks are over the features.
  const RowSpace* row_space() const noexcept { return row_space_ ? &*row_space_ : nullptr; }
  /// max_i |F_i| of these weights, from one pass over the data.
  double residual_at(const Matrix<Real>& weights);

 private:
  Matrix<Real> given_weights() const;
  void learn_relations(Progress* progress);

  const Dataset& data_;
  MgdOptions options_;
  ThreadPool pool_;
  TrainableLabels trainable_;
  Representation representation_;
  TransferMatrix matrix_;
  Intercepts intercepts_;
  double sigma_ = 0;
  LinearTaskOptions task_options_;
  std::optional<RowSpace> row_space_;
  std::unique_ptr<LinearTaskSet<Real>> tasks_;
  std::unique_ptr<Transfer<Real>> transfer_;
  Matrix<Real> alone_;  ///< weights of the labels trained alone, if relations are learned
  Index passes_alone_ = 0;
};

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#pragma once

#include "method/common/trainable_labels.h"

#include <mugrad/core/progress.h>
#include <mugrad/data/dataset.h>
#include <mugrad/method/mgd.h>
#include <mugrad/objective/linear_tasks.h>
#include <mugrad/transfer/transfer.h>

#include <memory>
#include <span>

namespace mugrad {

/// What the tasks of these labels are to be. `trainable` must outlive what is made of it.
LinearTaskOptions task_options(const Dataset& data, const MgdOptions& options,
                               const TrainableLabels& trainable);

/// The transfer among the trainable labels and its strength.
struct ChosenTransfer {
  TransferMatrix matrix;
  double sigma = 0;
};
/// Examples count as `row_weights` say; empty: once.
ChosenTransfer transfer_for(const TrainableLabels& trainable, const MgdOptions& options,
                            std::span<const double> row_weights);
/// Whether that is equation (15), all of it, with examples that count the same.
bool is_full_cosine(const Dataset& data, const MgdOptions& options,
                    const TrainableLabels& trainable);

/// Where the intercept of a label starts, unless at random; all other parameters start at 0.
/// `weight` is that of its positives.
double start_of(const MgdOptions& options, double positives, double known, double weight);

/// What MGD is to solve for a data set and its options: the tasks of the labels that can be
/// trained, the transfer among them, and where to start. `data` must outlive it.
template <class Real>
class MgdProblem {
 public:
  /// Throws UsageError and InputError as `fit` does. Updates `progress` between its steps.
  MgdProblem(const Dataset& data, const MgdOptions& options, Progress* progress = nullptr);

  /// Whether no label has both classes: then there is nothing to solve, and tasks() and the rest
  /// must not be called.
  bool is_empty() const noexcept { return trainable_.labels().cols == 0; }
  const TrainableLabels& trainable() const noexcept { return trainable_; }
  const Scaling& scaling() const noexcept { return scaling_; }
  const TransferMatrix& matrix() const noexcept { return matrix_; }
  Intercepts intercepts() const noexcept { return intercepts_; }
  double sigma() const noexcept { return sigma_; }
  /// Another L2 strength and another strength of the same transfer. Requires: !is_empty(); both
  /// >= 0; sigma > 0 only if the problem was made with transfer.
  void set_strengths(double rho, double sigma);

  TaskSet<Real>& tasks() noexcept { return *tasks_; }
  Transfer<Real>& transfer() noexcept { return *transfer_; }
  ThreadPool& pool() noexcept { return pool_; }
  /// Where the options say to start, without a model to start from.
  Matrix<Real> start() const;
  /// The weights of that model, where there is one; else start().
  Matrix<Real> first_weights() const;
  /// max_i |F_i| of these weights, by a pass over the data.
  double residual_at(const Matrix<Real>& weights);

 private:
  const Dataset& data_;
  MgdOptions options_;
  ThreadPool pool_;
  TrainableLabels trainable_;
  Scaling scaling_;
  TransferMatrix matrix_;
  Intercepts intercepts_;
  double sigma_ = 0;
  LinearTaskOptions task_options_;
  std::unique_ptr<LinearTaskSet<Real>> tasks_;
  std::unique_ptr<Transfer<Real>> transfer_;
};

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#pragma once

#include "method/common/trainable_labels.h"
#include "mpi/communicator.h"
#include "mpi/data_part.h"
#include "mpi/model_writer.h"
#include "mpi/placement.h"
#include "mpi/rounds.h"

#include <mugrad/data/representation.h>
#include <mugrad/method/mgd.h>
#include <mugrad/mpi/train.h>
#include <mugrad/objective/task_set.h>
#include <mugrad/parallel/thread_pool.h>

#include <memory>

namespace mugrad::mpi {

/// Rows [first_row, first_row + rows) of the columns of these labels, numbered in their order.
BinaryMatrix columns_of(const BinaryMatrix& of_all, std::span<const LabelId> labels,
                        Index first_row, Index rows);

/// This rank's part of the problem of MGD: some labels, their tasks on the local rows, and what
/// they borrow.
template <class Real>
class RankProblem {
 public:
  /// Copies what it needs of `part`. Every rank must call it. `grid` must outlive it. Throws as
  /// `fit` does.
  RankProblem(const Grid& grid, const DataPart& part, const MgdOptions& options);

  const TrainableLabels& trainable() const noexcept { return trainable_; }
  const Representation& representation() const noexcept { return representation_; }
  const Share& share() const noexcept { return share_; }
  Index groups() const noexcept { return groups_; }
  Exchange exchange() const noexcept { return exchange_; }
  Index exchanged_columns() const noexcept { return exchanged_columns_; }
  /// The transfer between all trainable labels, only on the first rank; null without transfer or
  /// with sums.
  const CsrMatrix<double>* relations() const noexcept { return relations_.get(); }
  /// With sums: the row starts of all labels, and the rows. The second must not outlive the
  /// problem.
  std::vector<Index> relations_start() const;
  RelationsRow relations_row() const;
  double sigma() const noexcept { return sigma_; }
  Intercepts intercepts() const noexcept { return intercepts_; }
  TaskSet<Real>& tasks() noexcept { return *tasks_; }
  /// Frees the copies of the features. Requires: tasks() is not called afterwards.
  void release_tasks() noexcept { tasks_.reset(); }
  ThreadPool& pool() noexcept { return pool_; }
  /// One row per local label, and space for those received from others.
  Matrix<Real> start() const;

 private:
  bool sums_pay(const Dataset& data);
  void take(const Groups& groups, const std::vector<std::int32_t>& rank_of_group);
  void share_out(const CsrMatrix<double>& relations);
  void borrow(const CsrMatrix<double>& relations);
  void make_tasks(const DataPart& part);

  const Grid& grid_;
  const MgdOptions options_;
  ThreadPool pool_;
  TrainableLabels trainable_;
  Representation representation_;
  Intercepts intercepts_;
  double sigma_ = 0;
  Share share_;
  Index groups_ = 0;
  Exchange exchange_ = Exchange::none;
  Index exchanged_columns_ = 0;
  std::vector<Index> related_;  ///< number of related labels of each; empty if not counted
  Index parameters_;
  std::unique_ptr<CsrMatrix<double>> relations_;
  BinaryMatrix labels_, unknown_;  ///< of this rank's rows and labels
  std::unique_ptr<TaskSet<Real>> tasks_;
};

}  // namespace mugrad::mpi

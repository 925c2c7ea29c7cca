// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/communicator.h"
#include "objective/penalty.h"

#include <mugrad/linalg/features.h>
#include <mugrad/objective/linear_tasks.h>

#include <memory>

namespace mugrad::mpi {

/// Linear tasks whose examples are on several ranks: each has some rows, and every call sums over
/// all of them before penalties are added. All ranks of the communicator make the same calls with
/// the same weights, and get the same bits.
template <class Real>
class RowSummedTasks final : public TaskSet<Real> {
 public:
  /// As in linear_tasks, for this rank's rows; options.examples is the number of examples of each
  /// task on all ranks. `rows` must outlive it.
  RowSummedTasks(const Communicator& rows, const Features& x, const FeatureTransform& transform,
                 const BinaryMatrix& labels, const LinearTaskOptions& options, ThreadPool& pool);

  Index tasks() const override { return local_->tasks(); }
  Index parameters() const override { return local_->parameters(); }
  void gradient(std::span<const Index> which, const Matrix<Real>& weights, Matrix<Real>& gradient,
                const TaskMeasures& measures) override;
  void hessian_product(std::span<const Index> which, const Matrix<Real>& weights,
                       const Matrix<Real>& direction, Matrix<Real>& product) override;
  std::vector<CurvatureRange> curvatures() override;
  const SharedCurvature<Real>* shared_curvature() override { return &shared_; }
  Index take_shared_passes() override { return std::exchange(shared_.passes, 0); }

 private:
  const Communicator& rows_;
  Penalty penalty_;
  SharedCurvature<Real> shared_;
  std::unique_ptr<LinearTaskSet<Real>> local_;  ///< sums over this rank's rows, without penalty
};

}  // namespace mugrad::mpi

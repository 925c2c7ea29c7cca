// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/matrix.h>
#include <mugrad/objective/linear_tasks.h>
#include <mugrad/parallel/thread_pool.h>

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace mugrad {

/// What earlier examples add to each task, equation (23): slope'd + 1/2 d'Q R Q d + ridge/2 |d|^2,
/// where d = w - centre, Q is diagonal, and R = factor'factor with its diagonal completed to ones.
template <class Real>
struct QuadraticPrior {
  Matrix<Real> centre = {};        ///< parameters x tasks
  Matrix<Real> slope = {};         ///< parameters x tasks
  Matrix<Real> root = {};          ///< the diagonal of each task's Q, >= 0: parameters x tasks
  Matrix<Real> factor = {};        ///< directions x parameters; no rows: R is the identity
  std::vector<double> ridge = {};  ///< of each task, >= 0; empty: none
  Index first_ridged = 0;          ///< the parameters before it have no ridge
  /// The share of the examples of all tasks that the tasks have themselves, in [0, 1].
  double own_share = 1;
};

/// Linear tasks of some examples with a prior that stands for other examples. The divisors of both
/// are those of all examples (LinearTaskOptions::examples).
template <class Real>
class PriorTasks final : public LinearTaskSet<Real> {
 public:
  /// `pool` must outlive it.
  PriorTasks(std::unique_ptr<LinearTaskSet<Real>> tasks, QuadraticPrior<Real> prior,
             ThreadPool& pool);

  void set_rho(double rho) override;
  Index tasks() const override { return tasks_->tasks(); }
  Index parameters() const override { return tasks_->parameters(); }
  void gradient(std::span<const Index> which, const Matrix<Real>& weights, Matrix<Real>& gradient,
                const TaskMeasures& measures) override;
  void hessian_product(std::span<const Index> which, const Matrix<Real>& weights,
                       const Matrix<Real>& direction, Matrix<Real>& product) override;
  std::vector<CurvatureRange> curvatures() override;
  /// That of all examples, with the covariance of both.
  const SharedCurvature<Real>* shared_curvature() override;
  Index take_shared_passes() override { return tasks_->take_shared_passes(); }

 private:
  /// to += (Q R Q + ridge) d for the columns [begin, end); projected_ holds the factor's part.
  void add_product(std::span<const Index> which, const Matrix<Real>& d, Index begin, Index end,
                   Matrix<Real>& to);
  template <class Work>
  void for_each_panel(Index columns, const Work& work);
  /// out = the prior's second moments v; `root` is a typical Q.
  void multiply_moments_before(std::span<const Real> root, const Matrix<Real>& v,
                               Matrix<Real>& out) const;
  SharedCurvature<Real> mixed(const SharedCurvature<Real>& own) const;

  std::unique_ptr<LinearTaskSet<Real>> tasks_;
  QuadraticPrior<Real> prior_;
  std::vector<Real> alone_;  ///< 1 - the diagonal of factor'factor, at least 0
  ThreadPool& pool_;
  std::optional<SharedCurvature<Real>> shared_;
  Matrix<Real> moved_, scaled_, projected_, curved_;  ///< scratch: d, Q d, factor Q d, Q R Q d
};

}  // namespace mugrad

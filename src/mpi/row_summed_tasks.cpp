// SPDX-License-Identifier: MIT
#include "mpi/row_summed_tasks.h"

#include "linalg/pass/design.h"
#include "linalg/pass/fused_pass.h"
#include "objective/covariance.h"
#include "objective/row_weights.h"

#include <cassert>
#include <optional>

namespace mugrad::mpi {
namespace {

LinearTaskOptions without_penalty(LinearTaskOptions options) {
  options.rho = options.l1 = 0;
  return options;
}

/// Sums the scores themselves, over all rows.
template <class Real>
class ScoreSums final : public PassBody<Real> {
 public:
  explicit ScoreSums(Real share) : share_(share) {}
  void residuals(const ScoreBlock<Real>&) const override {}
  void finish(Index, std::span<Real> sums) const override {
    for (Real& sum : sums) sum *= share_;
  }

 private:
  Real share_;
};

template <class Real>
SharedCurvature<Real> curvature_across(const Communicator& ranks, const Design<Real>& design,
                                       double ridge, ThreadPool& pool) {
  const double rows = static_cast<double>(ranks.sum(design.rows()));
  const double share = static_cast<double>(design.rows()) / rows;
  const auto mean_of_all = [&](std::span<double> means) {
    for (double& mean : means) mean *= share;
    ranks.sum(means);
  };
  auto means = column_means(design);
  mean_of_all(means);
  auto mean_squares = design.mean_squares();
  mean_of_all(mean_squares);
  std::optional<FusedPass<Real>> pass;
  const ScoreSums<Real> body(static_cast<Real>(1 / rows));
  const auto multiply = [&](const Matrix<Real>& v, Matrix<Real>& product) {
    if (!pass) pass.emplace(design, v.cols(), pool);
    pass->run(v, nullptr, body, product, PassSums{});
    ranks.sum(product.values());
  };
  return curvature_of_moments<Real>(
      {.means = means, .mean_squares = mean_squares, .multiply = multiply}, ridge);
}

}  // namespace

template <class Real>
RowSummedTasks<Real>::RowSummedTasks(const Communicator& rows, const Features& x,
                                     const FeatureTransform& transform, const BinaryMatrix& labels,
                                     const LinearTaskOptions& options, ThreadPool& pool)
    : rows_(rows),
      penalty_(options),
      shared_(curvature_across(rows, Design<Real>(x, transform), penalty_.curvature(), pool)),
      local_(linear_tasks<Real>(x, transform, labels, without_penalty(options), pool)) {
  assert(std::ssize(options.examples) == labels.cols);
}

template <class Real>
void RowSummedTasks<Real>::gradient(std::span<const Index> which, const Matrix<Real>& weights,
                                    Matrix<Real>& gradient, const TaskMeasures& measures) {
  local_->gradient(which, weights, gradient, measures);
  rows_.sum(gradient.values());
  rows_.sum_few(measures.values);
  rows_.sum_few(measures.mean_curvatures);
  for (Index k = 0; k < gradient.rows(); ++k) {
    penalty_.add_gradient(k, weights.row(k), gradient.row(k));
  }
  if (!measures.values.empty()) penalty_.add_values(weights, measures.values);
}

template <class Real>
void RowSummedTasks<Real>::hessian_product(std::span<const Index> which,
                                           const Matrix<Real>& weights,
                                           const Matrix<Real>& direction, Matrix<Real>& product) {
  local_->hessian_product(which, weights, direction, product);
  rows_.sum(product.values());
  for (Index k = 0; k < product.rows(); ++k) {
    penalty_.add_hessian_product(k, weights.row(k), direction.row(k), product.row(k));
  }
}

/// The bound on a sum of Hessians is the sum of their bounds.
template <class Real>
std::vector<CurvatureRange> RowSummedTasks<Real>::curvatures() {
  auto ranges = local_->curvatures();
  std::vector<double> most;
  most.reserve(ranges.size());
  for (const auto& range : ranges) most.push_back(range.most);
  rows_.sum(std::span(most));
  for (std::size_t t = 0; t < ranges.size(); ++t) {
    ranges[t] = {.least = 0, .most = most[t] + penalty_.curvature()};
  }
  return ranges;
}

template class RowSummedTasks<float>;
template class RowSummedTasks<double>;

}  // namespace mugrad::mpi

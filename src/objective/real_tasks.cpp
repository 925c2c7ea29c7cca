// SPDX-License-Identifier: MIT
#include "objective/real_tasks.h"

#include "linalg/pass/fused_pass.h"
#include "objective/covariance.h"
#include "objective/gram_tasks.h"
#include "objective/penalty.h"
#include "objective/row_weights.h"
#include "objective/squared.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>
#include <utility>

namespace mugrad {
namespace {

template <class Real>
class RealTasks final : public LinearTaskSet<Real> {
 public:
  RealTasks(Design<Real> design, Matrix<Real> targets, const LinearTaskOptions& options,
            ThreadPool& pool)
      : design_(std::move(design)),
        targets_(std::move(targets)),
        penalty_(options),
        rows_(options.row_weights, targets_.rows()),
        known_(as_size(targets_.cols()), 0),
        pool_(pool),
        pass_(design_, targets_.cols(), pool) {
    for (Index row = 0; row < targets_.rows(); ++row) {
      const auto y = targets_.row(row);
      for (std::size_t t = 0; t < y.size(); ++t) known_[t] += std::isnan(y[t]) ? 0 : rows_[row];
    }
    assert(std::ranges::all_of(known_, [](double examples) { return examples > 0; }));
  }

  void set_rho(double rho) override {
    penalty_.set_rho(rho);
    if (shared_) shared_->ridge = penalty_.curvature();
  }
  Index tasks() const override { return targets_.cols(); }
  Index parameters() const override { return design_.cols(); }

  void gradient(std::span<const Index> which, const Matrix<Real>& weights, Matrix<Real>& gradient,
                const TaskMeasures& measures) override {
    pass_.run(weights, nullptr, GradientBody(*this, which, weights), gradient,
              {.values = measures.values});
    for (std::size_t t = 0; t < measures.values.size(); ++t) {
      measures.values[t] /= known_[as_size(task_of(which, as_index(t)))];
    }
    if (!measures.values.empty()) penalty_.add_values(weights, measures.values);
    std::ranges::fill(measures.mean_curvatures, SquaredLoss::kCurvature);
  }

  void hessian_product(std::span<const Index> which, const Matrix<Real>& weights,
                       const Matrix<Real>& direction, Matrix<Real>& product) override {
    pass_.run(direction, nullptr, HessianBody(*this, which, weights, direction), product, {});
  }

  std::vector<CurvatureRange> curvatures() override {
    if (gram_bound_ < 0) gram_bound_ = moments_bound(design_, rows_.values());
    std::vector<CurvatureRange> ranges;
    for (const double known : known_) {
      ranges.push_back({.least = 0,
                        .most = SquaredLoss::kCurvature * gram_bound_ * rows_.total() / known +
                                penalty_.curvature()});
    }
    return ranges;
  }

  const SharedCurvature<Real>* shared_curvature() override {
    if (!shared_) {
      shared_ = shared_curvature_of<Real>(design_, rows_, penalty_.curvature(), {}, pool_, &pass_);
    }
    return &*shared_;
  }

  Index take_shared_passes() override { return shared_ ? std::exchange(shared_->passes, 0) : 0; }

 private:
  /// The common part of both passes.
  class Body : public PassBody<Real> {
   public:
    Body(const RealTasks& tasks, std::span<const Index> which, const Matrix<Real>& weights)
        : tasks_(tasks), which_(which), weights_(weights) {}

   protected:
    ~Body() = default;

    /// Calls fn(score, target, column) for every entry of a block with a known target, and sets the
    /// others to zero.
    template <class Function>
    void for_each_known(const ScoreBlock<Real>& block, const Function& fn) const {
      for (Index row = 0; row < block.rows; ++row) {
        const auto targets = tasks_.targets_.row(block.first_row + row);
        Real* const z = block.z + row * block.width;
        for (Index column = 0; column < block.columns; ++column) {
          const Index task = task_of(which_, block.first_column + column);
          const Real y = targets[as_size(task)];
          std::isnan(y) ? static_cast<void>(z[column] = 0) : fn(z[column], y, row, column);
        }
      }
    }
    /// From sums over examples to means over the known examples of a task.
    void take_means(std::span<Real> sums) const noexcept {
      for (std::size_t t = 0; t < sums.size(); ++t) {
        const auto task = as_size(task_of(which_, as_index(t)));
        sums[t] = static_cast<Real>(static_cast<double>(sums[t]) / tasks_.known_[task]);
      }
    }

    const RealTasks& tasks_;
    std::span<const Index> which_;
    const Matrix<Real>& weights_;
  };

  class GradientBody final : public Body {
   public:
    using Body::Body;

    void residuals(const ScoreBlock<Real>& block) const override {
      this->for_each_known(block, [&](Real& z, Real y, Index row, Index column) {
        z -= y;
        if (block.values == nullptr) return;
        block.values[column] += this->tasks_.rows_[block.first_row + row] *
                                SquaredLoss::value_of_error(static_cast<double>(z));
      });
      this->tasks_.rows_.multiply(block);
    }
    void finish(Index row, std::span<Real> sums) const override {
      this->take_means(sums);
      this->tasks_.penalty_.add_gradient(row, this->weights_.row(row), sums);
    }
  };

  /// The Hessian of squares multiplies the scores of the direction.
  class HessianBody final : public Body {
   public:
    HessianBody(const RealTasks& tasks, std::span<const Index> which, const Matrix<Real>& weights,
                const Matrix<Real>& direction)
        : Body(tasks, which, weights), direction_(direction) {}

    void residuals(const ScoreBlock<Real>& block) const override {
      this->for_each_known(block, [](Real&, Real, Index, Index) {});
      this->tasks_.rows_.multiply(block);
    }
    void finish(Index row, std::span<Real> sums) const override {
      this->take_means(sums);
      this->tasks_.penalty_.add_hessian_product(row, this->weights_.row(row), direction_.row(row),
                                                sums);
    }

   private:
    const Matrix<Real>& direction_;
  };

  Design<Real> design_;
  Matrix<Real> targets_;
  Penalty penalty_;
  RowWeights rows_;
  std::vector<double> known_;  ///< weight of the examples where the target is known
  ThreadPool& pool_;
  FusedPass<Real> pass_;
  std::optional<SharedCurvature<Real>> shared_;
  double gram_bound_ = -1;  ///< on the largest eigenvalue of X'X / n; negative: not computed yet
};

}  // namespace

template <class Real>
std::unique_ptr<LinearTaskSet<Real>> real_tasks(const Features& x,
                                                const FeatureTransform& transform,
                                                Matrix<Real> targets,
                                                const LinearTaskOptions& options,
                                                ThreadPool& pool) {
  assert(x.rows() == targets.rows() && x.rows() > 0);
  Design<Real> design(x, transform);
  const bool all_known =
      std::ranges::none_of(targets.values(), [](Real y) { return std::isnan(y); });
  if (all_known && gram_pays(design.shape(), targets.cols())) {
    return gram_real_tasks(design, targets, options, pool);
  }
  return std::make_unique<RealTasks<Real>>(std::move(design), std::move(targets), options, pool);
}

template decltype(real_tasks<float>) real_tasks<float>;
template decltype(real_tasks<double>) real_tasks<double>;

}  // namespace mugrad

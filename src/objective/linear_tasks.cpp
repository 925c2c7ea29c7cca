// SPDX-License-Identifier: MIT
#include "linalg/dense/largest_eigenvalue.h"
#include "linalg/pass/fused_pass.h"
#include "objective/covariance.h"
#include "objective/gram_tasks.h"
#include "objective/loss_kernels.h"
#include "objective/penalty.h"
#include "objective/row_weights.h"
#include "objective/task_columns.h"

#include <mugrad/objective/linear_tasks.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>
#include <utility>

namespace mugrad {
namespace {

/// Tasks of a pointwise loss whose derivative for a positive example is that for a negative one
/// less 1: labels then cost their ones alone.
template <class Real, class Loss>
class LinearTasks final : public LinearTaskSet<Real> {
 public:
  LinearTasks(Design<Real> design, const BinaryMatrix& labels, const LinearTaskOptions& options,
              ThreadPool& pool)
      : design_(std::move(design)),
        labels_(labels),
        unknown_(options.unknown),
        unused_(options.unused),
        penalty_(options),
        rows_(options.row_weights, labels.rows()),
        is_weighted_(!options.positive_weights.empty()),
        weight_(options.positive_weights),
        known_(static_cast<std::size_t>(labels.cols), rows_.total()),
        pool_(pool),
        pass_(design_, options.most_at_once > 0 ? options.most_at_once : labels.cols, pool) {
    if (weight_.empty()) weight_.assign(known_.size(), 1);
    assert(unused_ == nullptr || unused_->rows() == design_.cols() - 1);
    if (unknown_ != nullptr) take_unknown_from_known();
    if (!options.examples.empty()) known_ = options.examples;
    assert(std::ssize(known_) == labels.cols);
    for (const double examples : known_) {
      assert(examples > 0);
      per_example_.push_back(static_cast<Real>(1 / examples));
    }
  }

  void set_rho(double rho) override {
    penalty_.set_rho(rho);
    if (shared_) shared_->ridge = penalty_.curvature();
  }
  Index tasks() const override { return labels_.cols; }
  Index parameters() const override { return design_.cols(); }

  void gradient(std::span<const Index> which, const Matrix<Real>& weights, Matrix<Real>& gradient,
                const TaskMeasures& measures) override {
    const GradientBody body(*this, which, weights);
    pass_.run(weights, nullptr, body, gradient,
              {.values = measures.values, .bends = measures.mean_bends});
    const auto take_means = [&](std::span<double> sums) {
      for (std::size_t t = 0; t < sums.size(); ++t) {
        sums[t] /= known_[static_cast<std::size_t>(task_of(which, static_cast<Index>(t)))];
      }
    };
    take_means(measures.values);
    take_means(measures.mean_bends);
    if (!measures.values.empty()) penalty_.add_values(weights, measures.values);
  }

  void hessian_product(std::span<const Index> which, const Matrix<Real>& weights,
                       const Matrix<Real>& direction, Matrix<Real>& product) override {
    pass_.run(weights, &direction, HessianBody(*this, which, weights, direction), product, {});
  }

  /// From below, the curvature of the logistic loss vanishes far out along the free intercept.
  /// That of the squared loss does not: by Jensen's inequality a direction (b, v) has at least
  /// (b + m'v)^2 + rho |v|^2, m the mean of the features.
  std::vector<CurvatureRange> curvatures() override {
    if (gram_bound_ < 0) {
      gram_bound_ = largest_eigenvalue_bound(design_.cols(), [this](auto v, auto out) {
        design_.gram_product(v, out, rows_.values());
      });
    }
    const bool bounded_below =
        std::is_same_v<Loss, SquaredLoss> && unknown_ == nullptr && unused_ == nullptr;
    std::vector<CurvatureRange> ranges;
    for (std::size_t t = 0; t < known_.size(); ++t) {
      const double share = std::max(1.0, weight_[t]) * rows_.total() / known_[t];
      ranges.push_back({.least = bounded_below ? least_curvature(std::min(1.0, weight_[t])) : 0,
                        .most = Loss::kCurvature * gram_bound_ * share + penalty_.curvature()});
    }
    return ranges;
  }

  const SharedCurvature<Real>* shared_curvature() override {
    if (!shared_) {
      shared_ =
          shared_curvature_of(design_, rows_, penalty_.curvature(), used_by_some(), pool_, &pass_);
    }
    return &*shared_;
  }

  Index take_shared_passes() override { return shared_ ? std::exchange(shared_->passes, 0) : 0; }

 private:
  /// Where next to nothing is left of all weights, it is summed rather than subtracted.
  void take_unknown_from_known() {
    constexpr double kCancelled = 1e-6;
    for (Index row = 0; row < unknown_->rows(); ++row) {
      for (const LabelId t : unknown_->row(row)) known_[static_cast<std::size_t>(t)] -= rows_[row];
    }
    for (std::size_t t = 0; t < known_.size(); ++t) {
      if (!rows_.any() || known_[t] > kCancelled * rows_.total()) continue;
      known_[t] = 0;
      for (Index row = 0; row < unknown_->rows(); ++row) {
        const bool is_known =
            !std::ranges::binary_search(unknown_->row(row), static_cast<LabelId>(t));
        if (is_known) known_[t] += rows_[row];
      }
    }
  }

  /// The means of the ones and of the features.
  std::vector<double> means_with_one() const {
    std::vector<double> ones(static_cast<std::size_t>(design_.cols()), 0);
    std::vector<double> means(ones.size());
    ones[0] = 1;
    design_.gram_product(ones, means, rows_.values());
    return means;
  }

  /// Of each feature whether some tasks may not use it; empty: all may use all. Who solves must
  /// not move weights of such features along with others.
  std::vector<char> used_by_some() const {
    std::vector<char> some;
    for (Index k = 0; unused_ != nullptr && k < unused_->rows(); ++k) {
      some.push_back(!unused_->row(k).empty());
    }
    return some;
  }

  /// The least eigenvalue of delta (1, m)(1, m)' + rho diag(0, I).
  double least_curvature(double delta) const {
    double squares = 0;
    for (const double entry : means_with_one()) squares += entry * entry;
    const double a = delta * squares;
    const double rho = penalty_.rho();
    const double root = std::sqrt(std::max(0.0, (a + rho) * (a + rho) - 4 * delta * rho));
    return std::max(0.0, (a + rho - root) / 2);
  }

  /// What both passes share: whose columns these are, and what is special about labels.
  class Body : public PassBody<Real> {
   public:
    Body(const LinearTasks& tasks, std::span<const Index> which, const Matrix<Real>& weights)
        : tasks_(tasks), which_(which), columns_(which), weights_(weights) {}

   protected:
    ~Body() = default;

    static Real& score(const ScoreBlock<Real>& block, Index row, Index column) noexcept {
      return block.z[row * block.width + column];
    }
    Real positive_weight(const ScoreBlock<Real>& block, Index column) const noexcept {
      const Index task = task_of(which_, block.first_column + column);
      return static_cast<Real>(tasks_.weight_[static_cast<std::size_t>(task)]);
    }
    void clear_unknown(const ScoreBlock<Real>& block) const {
      if (tasks_.unknown_ == nullptr) return;
      columns_.for_each_one(*tasks_.unknown_, block,
                            [&](Index row, Index column) { score(block, row, column) = 0; });
    }
    /// Of a row of the result.
    void clear_unused(Index row, std::span<Real> sums) const {
      if (tasks_.unused_ == nullptr || row == 0) return;
      columns_.for_each_listed(tasks_.unused_->row(row - 1), 0, std::ssize(sums),
                               [&](Index column) { sums[static_cast<std::size_t>(column)] = 0; });
    }
    /// From sums over examples to means over those a task knows.
    void take_means(std::span<Real> sums) const noexcept {
      const auto& share = tasks_.per_example_;
      for (std::size_t t = 0; t < sums.size(); ++t) {
        sums[t] *= share[which_.empty() ? t : static_cast<std::size_t>(which_[t])];
      }
    }

    const LinearTasks& tasks_;
    std::span<const Index> which_;
    TaskColumns columns_;
    const Matrix<Real>& weights_;
  };

  class GradientBody final : public Body {
   public:
    using Body::Body;

    void residuals(const ScoreBlock<Real>& block) const override {
      if (block.bends == nullptr) {
        LossKernels<Loss>::slopes(block.rows, block.width, block.z);
      } else {
        add_differences(block);
        this->tasks_.rows_.add_sums(
            block, [&](Index rows, Real* z, double* values, double* bends) noexcept {
              LossKernels<Loss>::slopes_and_sums(rows, block.width, z, values, bends);
            });
      }
      this->columns_.for_each_one(this->tasks_.labels_, block, [&](Index row, Index column) {
        Real& slope = this->score(block, row, column);
        slope = this->positive_weight(block, column) * (slope - Real{1});
      });
      this->clear_unknown(block);
      this->tasks_.rows_.multiply(block);
    }
    void finish(Index row, std::span<Real> sums) const override {
      this->take_means(sums);
      this->tasks_.penalty_.add_gradient(row, this->weights_.row(row), sums);
      this->clear_unused(row, sums);
    }

   private:
    static void add_value(const ScoreBlock<Real>& block, Index column, double value) noexcept {
      if (block.values != nullptr) block.values[column] += value;
    }
    /// The sums take every example for a negative one.
    void add_differences(const ScoreBlock<Real>& block) const {
      const bool plain_bends = !this->tasks_.is_weighted_ && this->tasks_.unknown_ == nullptr;
      if (block.values == nullptr && plain_bends) return;
      this->columns_.for_each_one(this->tasks_.labels_, block, [&](Index row, Index column) {
        const Real z = this->score(block, row, column);
        const double times = this->tasks_.rows_[block.first_row + row];
        const auto weight = static_cast<double>(this->positive_weight(block, column));
        const double more = times * (weight - 1);
        add_value(block, column,
                  times * weight * static_cast<double>(Loss::positive_difference(z)));
        if (more == 0) return;
        add_value(block, column, more * static_cast<double>(Loss::value(z, false)));
        block.bends[column] += more * static_cast<double>(Loss::second_derivative(z));
      });
      if (this->tasks_.unknown_ == nullptr) return;
      this->columns_.for_each_one(*this->tasks_.unknown_, block, [&](Index row, Index column) {
        const Real z = this->score(block, row, column);
        const double times = this->tasks_.rows_[block.first_row + row];
        add_value(block, column, -times * static_cast<double>(Loss::value(z, false)));
        block.bends[column] -= times * static_cast<double>(Loss::second_derivative(z));
      });
    }
  };

  class HessianBody final : public Body {
   public:
    HessianBody(const LinearTasks& tasks, std::span<const Index> which, const Matrix<Real>& weights,
                const Matrix<Real>& direction)
        : Body(tasks, which, weights), direction_(direction) {}

    void residuals(const ScoreBlock<Real>& block) const override {
      LossKernels<Loss>::bends_times(block.rows, block.width, block.u, block.z);
      if (this->tasks_.is_weighted_) {
        this->columns_.for_each_one(this->tasks_.labels_, block, [&](Index row, Index column) {
          this->score(block, row, column) *= this->positive_weight(block, column);
        });
      }
      this->clear_unknown(block);
      this->tasks_.rows_.multiply(block);
    }
    void finish(Index row, std::span<Real> sums) const override {
      this->take_means(sums);
      this->tasks_.penalty_.add_hessian_product(row, this->weights_.row(row), direction_.row(row),
                                                sums);
      this->clear_unused(row, sums);
    }

   private:
    const Matrix<Real>& direction_;
  };

  Design<Real> design_;
  const BinaryMatrix& labels_;
  const BinaryMatrix* unknown_;
  const BinaryMatrix* unused_;
  Penalty penalty_;
  RowWeights rows_;
  bool is_weighted_;
  std::vector<double> weight_;     ///< of each task's positives
  std::vector<double> known_;      ///< how often examples count whose label each task knows
  std::vector<Real> per_example_;  ///< 1 / known_
  ThreadPool& pool_;
  FusedPass<Real> pass_;
  std::optional<SharedCurvature<Real>> shared_;
  double gram_bound_ = -1;  ///< of the largest eigenvalue of X'X / n; negative: not known yet
};

}  // namespace

template <class Real>
std::unique_ptr<LinearTaskSet<Real>> linear_tasks(const Features& x,
                                                  const FeatureTransform& transform,
                                                  const BinaryMatrix& labels,
                                                  const LinearTaskOptions& options,
                                                  ThreadPool& pool) {
  assert(x.rows() == labels.rows() && x.rows() > 0);
  assert(options.rho >= 0 && options.l1 >= 0 && options.l1_sharpness > 0);
  Design<Real> design(x, transform);
  if (options.loss == LossKind::logistic) {
    return std::make_unique<LinearTasks<Real, LogisticLoss>>(std::move(design), labels, options,
                                                             pool);
  }
  const bool is_plain = options.positive_weights.empty() && options.unknown == nullptr &&
                        options.row_weights.empty() && options.unused == nullptr &&
                        options.examples.empty();
  if (is_plain && gram_pays(design.shape(), labels.cols)) {
    return gram_tasks(design, labels, options, pool);
  }
  return std::make_unique<LinearTasks<Real, SquaredLoss>>(std::move(design), labels, options, pool);
}

template std::unique_ptr<LinearTaskSet<float>> linear_tasks(const Features&,
                                                            const FeatureTransform&,
                                                            const BinaryMatrix&,
                                                            const LinearTaskOptions&, ThreadPool&);
template std::unique_ptr<LinearTaskSet<double>> linear_tasks(const Features&,
                                                             const FeatureTransform&,
                                                             const BinaryMatrix&,
                                                             const LinearTaskOptions&, ThreadPool&);

}  // namespace mugrad

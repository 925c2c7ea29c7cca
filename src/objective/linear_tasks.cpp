// SPDX-License-Identifier: MIT
#include "core/names.h"
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

constexpr Name<LossKind> kLosses[] = {{LossKind::logistic, "logistic"},
                                      {LossKind::squared, "squared"}};

/// Tasks of a pointwise loss whose derivatives for positive and negative examples differ by 1, so
/// that labels cost only their ones.
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
        known_(as_size(labels.cols), rows_.total()),
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
              {.values = measures.values, .curvatures = measures.mean_curvatures});
    const auto take_means = [&](std::span<double> sums) {
      for (std::size_t t = 0; t < sums.size(); ++t) {
        sums[t] /= known_[as_size(task_of(which, as_index(t)))];
      }
    };
    take_means(measures.values);
    take_means(measures.mean_curvatures);
    if (!measures.values.empty()) penalty_.add_values(weights, measures.values);
  }

  void hessian_product(std::span<const Index> which, const Matrix<Real>& weights,
                       const Matrix<Real>& direction, Matrix<Real>& product) override {
    pass_.run(weights, &direction, HessianBody(*this, which, weights, direction), product, {});
  }

  /// Lower bounds: the curvature of the logistic loss vanishes far out along the free intercept.
  /// That of the squared loss does not: by Jensen's inequality a direction (b, v) has at least (b +
  /// m'v)^2 + rho |v|^2, where m is the mean of the features.
  std::vector<CurvatureRange> curvatures() override {
    if (gram_bound_ < 0) gram_bound_ = moments_bound(design_, rows_.values());
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
  /// If almost nothing of the total weight is left, it is summed rather than subtracted.
  void take_unknown_from_known() {
    constexpr double kCancelled = 1e-6;
    for (Index row = 0; row < unknown_->rows(); ++row) {
      for (const LabelId t : unknown_->row(row)) known_[as_size(t)] -= rows_[row];
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

  /// For each feature, whether some tasks may not use it; empty: all may use all. Solvers must not
  /// move weights of such features together with others.
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
    for (const double mean : column_means(design_, rows_.values())) squares += mean * mean;
    const double a = delta * squares;
    const double rho = penalty_.rho();
    const double root = std::sqrt(std::max(0.0, (a + rho) * (a + rho) - 4 * delta * rho));
    return std::max(0.0, (a + rho - root) / 2);
  }

  /// The common part of both passes: the tasks of the columns, and the handling of labels.
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
      return static_cast<Real>(tasks_.weight_[as_size(task)]);
    }
    void clear_unknown(const ScoreBlock<Real>& block) const {
      if (tasks_.unknown_ == nullptr) return;
      columns_.for_each_one(*tasks_.unknown_, block,
                            [&](Index row, Index column) { score(block, row, column) = 0; });
    }
    /// For a row of the result.
    void clear_unused(Index row, std::span<Real> sums) const {
      if (tasks_.unused_ == nullptr || row == 0) return;
      columns_.for_each_listed(tasks_.unused_->row(row - 1), 0, std::ssize(sums),
                               [&](Index column) { sums[as_size(column)] = 0; });
    }
    /// From sums over examples to means over the known examples of a task.
    void take_means(std::span<Real> sums) const noexcept {
      const auto& share = tasks_.per_example_;
      for (std::size_t t = 0; t < sums.size(); ++t) {
        sums[t] *= share[which_.empty() ? t : as_size(which_[t])];
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
      if (block.curvatures == nullptr) {
        LossKernels<Loss>::slopes(block.rows, block.width, block.z);
      } else {
        add_differences(block);
        this->tasks_.rows_.add_sums(
            block, [&](Index rows, Real* z, double* values, double* curvatures) noexcept {
              LossKernels<Loss>::slopes_and_sums(rows, block.width, z, values, curvatures);
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
    /// The sums treat every example as negative.
    void add_differences(const ScoreBlock<Real>& block) const {
      const bool plain_curvatures = !this->tasks_.is_weighted_ && this->tasks_.unknown_ == nullptr;
      if (block.values == nullptr && plain_curvatures) return;
      this->columns_.for_each_one(this->tasks_.labels_, block, [&](Index row, Index column) {
        const Real z = this->score(block, row, column);
        const double times = this->tasks_.rows_[block.first_row + row];
        const auto weight = static_cast<double>(this->positive_weight(block, column));
        const double more = times * (weight - 1);
        add_value(block, column,
                  times * weight * static_cast<double>(Loss::positive_difference(z)));
        if (more == 0) return;
        add_value(block, column, more * static_cast<double>(Loss::value(z, false)));
        block.curvatures[column] += more * static_cast<double>(Loss::second_derivative(z));
      });
      if (this->tasks_.unknown_ == nullptr) return;
      this->columns_.for_each_one(*this->tasks_.unknown_, block, [&](Index row, Index column) {
        const Real z = this->score(block, row, column);
        const double times = this->tasks_.rows_[block.first_row + row];
        add_value(block, column, -times * static_cast<double>(Loss::value(z, false)));
        block.curvatures[column] -= times * static_cast<double>(Loss::second_derivative(z));
      });
    }
  };

  class HessianBody final : public Body {
   public:
    HessianBody(const LinearTasks& tasks, std::span<const Index> which, const Matrix<Real>& weights,
                const Matrix<Real>& direction)
        : Body(tasks, which, weights), direction_(direction) {}

    void residuals(const ScoreBlock<Real>& block) const override {
      LossKernels<Loss>::curvature_times(block.rows, block.width, block.u, block.z);
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
  std::vector<double> known_;      ///< weight of the examples where the label is known
  std::vector<Real> per_example_;  ///< 1 / known_
  ThreadPool& pool_;
  FusedPass<Real> pass_;
  std::optional<SharedCurvature<Real>> shared_;
  double gram_bound_ = -1;  ///< on the largest eigenvalue of X'X / n; negative: not computed yet
};

}  // namespace

std::string_view to_string(LossKind loss) { return name_of<LossKind>(kLosses, loss); }
LossKind loss_named(std::string_view name) { return named<LossKind>(kLosses, name, "loss"); }

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

template decltype(linear_tasks<float>) linear_tasks<float>;
template decltype(linear_tasks<double>) linear_tasks<double>;

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#include "objective/gram_tasks.h"

#include "linalg/dense/blas.h"
#include "linalg/dense/eigenvalues.h"
#include "linalg/dense/gram.h"
#include "objective/covariance.h"
#include "objective/penalty.h"
#include "objective/row_weights.h"
#include "objective/squared.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <optional>
#include <utility>

namespace mugrad {
namespace {

template <class Real>
Matrix<Real> rounded(const Matrix<double>& matrix) {
  Matrix<Real> result(matrix.rows(), matrix.cols());
  std::ranges::transform(matrix.values(), result.values().begin(),
                         [](double value) { return static_cast<Real>(value); });
  return result;
}

/// Bounds on the eigenvalues of X'X/n plus the penalty. The least is only computed for small
/// matrices, where that is fast; it is that of the whole Hessian, including the free intercept.
CurvatureRange curvature_of(Matrix<double> gram, const Penalty& penalty) {
  constexpr Index kQuick = 512;
  const double largest =
      largest_eigenvalue_bound(gram.rows(), [&](std::span<const double> v, std::span<double> out) {
        for (Index k = 0; k < gram.rows(); ++k) {
          const auto row = gram.row(k);
          out[as_size(k)] = std::inner_product(row.begin(), row.end(), v.begin(), 0.0);
        }
      });
  for (Index k = 1; k < gram.rows(); ++k) gram(k, k) += penalty.rho();
  return {.least = gram.rows() <= kQuick ? least_eigenvalue_bound(gram) : 0,
          .most = SquaredLoss::kCurvature * largest + penalty.curvature()};
}

template <class Real>
class GramTasks final : public LinearTaskSet<Real> {
 public:
  /// From X'X/n, X'Y/n and y'y/n.
  GramTasks(Matrix<double> gram, const Matrix<double>& products, std::vector<double> squares,
            const LinearTaskOptions& options, ThreadPool& pool)
      : penalty_(options),
        pool_(pool),
        exact_gram_(std::move(gram)),
        gram_(rounded<Real>(exact_gram_)),
        products_(rounded<Real>(products)),
        squares_(std::move(squares)) {}

  void set_rho(double rho) override {
    penalty_.set_rho(rho);
    range_.reset();
    if (shared_) shared_->ridge = penalty_.curvature();
  }
  Index tasks() const override { return products_.cols(); }
  Index parameters() const override { return gram_.rows(); }

  void gradient(std::span<const Index> which, const Matrix<Real>& weights, Matrix<Real>& gradient,
                const TaskMeasures& measures) override {
    multiply(weights, gradient);
    for (Index k = 0; k < gradient.rows(); ++k) {
      for (Index t = 0; t < gradient.cols(); ++t) gradient(k, t) -= products_(k, task_of(which, t));
    }
    if (!measures.values.empty()) compute_values(which, weights, gradient, measures.values);
    std::ranges::fill(measures.mean_curvatures, SquaredLoss::kCurvature);
    for (Index k = 0; k < gradient.rows(); ++k) {
      penalty_.add_gradient<Real>(k, weights.row(k), gradient.row(k));
    }
  }

  void hessian_product(std::span<const Index>, const Matrix<Real>& weights,
                       const Matrix<Real>& direction, Matrix<Real>& product) override {
    multiply(direction, product);
    for (Index k = 0; k < product.rows(); ++k) {
      penalty_.add_hessian_product<Real>(k, weights.row(k), direction.row(k), product.row(k));
    }
  }

  std::vector<CurvatureRange> curvatures() override {
    if (!range_) range_ = curvature_of(exact_gram_, penalty_);
    return std::vector<CurvatureRange>(as_size(tasks()), *range_);
  }

  const SharedCurvature<Real>* shared_curvature() override {
    if (!shared_) {
      std::vector<double> means(gram_.row(0).begin(), gram_.row(0).end());
      std::vector<double> mean_squares;
      for (Index k = 1; k < gram_.rows(); ++k) {
        mean_squares.push_back(static_cast<double>(gram_(k, k)));
      }
      shared_ = curvature_of_moments<Real>(
          {.means = means,
           .mean_squares = mean_squares,
           .multiply = [&](const Matrix<Real>& v, Matrix<Real>& out) { multiply(v, out); }},
          penalty_.curvature());
    }
    return &*shared_;
  }

  Index take_shared_passes() override { return shared_ ? std::exchange(shared_->passes, 0) : 0; }

 private:
  /// result = X'X/n * from.
  void multiply(const Matrix<Real>& from, Matrix<Real>& result) {
    constexpr Index kPanel = 64;
    const Index n = gram_.rows();
    const Index columns = from.cols();
    pool_.run((n + kPanel - 1) / kPanel, [&](Index item) {
      const Index begin = item * kPanel;
      blas::multiply<Real>(std::min(kPanel, n - begin), columns, n, {gram_.data() + begin * n, n},
                           {from.data(), columns}, 0, result.data() + begin * columns, columns);
    });
  }

  /// |Xw - y|^2 / 2n = (w'g - w'b + y'y/n) / 2, where b = X'y/n and g = X'Xw/n - b.
  void compute_values(std::span<const Index> which, const Matrix<Real>& weights,
                      const Matrix<Real>& gradient, std::span<double> values) const {
    for (Index t = 0; t < weights.cols(); ++t) {
      const Index task = task_of(which, t);
      double value = squares_[as_size(task)];
      for (Index k = 0; k < weights.rows(); ++k) {
        const auto slope = static_cast<double>(gradient(k, t));
        value +=
            static_cast<double>(weights(k, t)) * (slope - static_cast<double>(products_(k, task)));
      }
      values[as_size(t)] = value;
    }
    for (double& value : values) value /= 2;
    penalty_.add_values(weights, values);
  }

  Penalty penalty_;
  ThreadPool& pool_;
  Matrix<double> exact_gram_;    ///< X'X / n
  Matrix<Real> gram_;            ///< the same, rounded
  Matrix<Real> products_;        ///< X'Y / n
  std::vector<double> squares_;  ///< y'y / n
  std::optional<CurvatureRange> range_;
  std::optional<SharedCurvature<Real>> shared_;
};

}  // namespace

bool gram_pays(const DesignShape& design, Index tasks) {
  constexpr double kPasses = 100;       // fewer than a training run takes
  constexpr double kEntries = 1 << 24;  // in double, 128 MB
  const auto rows = static_cast<double>(design.rows);
  const auto cols = static_cast<double>(design.cols);
  const double stored = design.is_sparse ? rows + static_cast<double>(design.stored) : rows * cols;
  const double saved = (2 * stored - cols * cols) * static_cast<double>(tasks);
  const double forming = stored * stored / rows;
  return cols * cols <= kEntries && forming <= kPasses * saved;
}

template <class Real>
std::unique_ptr<LinearTaskSet<Real>> gram_tasks(const Design<Real>& design,
                                                const BinaryMatrix& labels,
                                                const LinearTaskOptions& options,
                                                ThreadPool& pool) {
  assert(options.positive_weights.empty() && options.unknown == nullptr);
  const auto products = label_products(design, labels);
  // y'y = y'1 for labels, which is the row of the ones.
  std::vector<double> squares(products.row(0).begin(), products.row(0).end());
  return std::make_unique<GramTasks<Real>>(gram_matrix(design, pool), products, std::move(squares),
                                           options, pool);
}

template <class Real>
std::unique_ptr<LinearTaskSet<Real>> gram_real_tasks(const Design<Real>& design,
                                                     const Matrix<Real>& targets,
                                                     const LinearTaskOptions& options,
                                                     ThreadPool& pool) {
  assert(options.positive_weights.empty() && options.unknown == nullptr &&
         options.unused == nullptr);
  const RowWeights rows(options.row_weights, design.rows());
  auto gram = gram_matrix(design, pool, rows.values());
  auto products = target_products(design, targets, rows.values());
  // These are divided by the number of rows.
  const double share = static_cast<double>(design.rows()) / rows.total();
  for (double& entry : gram.values()) entry *= share;
  for (double& entry : products.values()) entry *= share;
  std::vector<double> squares(as_size(targets.cols()), 0);
  for (Index row = 0; row < targets.rows(); ++row) {
    const auto y = targets.row(row);
    for (std::size_t t = 0; t < y.size(); ++t) {
      const auto target = static_cast<double>(y[t]);
      squares[t] += rows[row] * target * target;
    }
  }
  for (double& square : squares) square /= rows.total();
  return std::make_unique<GramTasks<Real>>(std::move(gram), products, std::move(squares), options,
                                           pool);
}

template decltype(gram_tasks<float>) gram_tasks<float>;
template decltype(gram_tasks<double>) gram_tasks<double>;
template decltype(gram_real_tasks<float>) gram_real_tasks<float>;
template decltype(gram_real_tasks<double>) gram_real_tasks<double>;

}  // namespace mugrad

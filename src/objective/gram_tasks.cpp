// SPDX-License-Identifier: MIT
#include "objective/gram_tasks.h"

#include "linalg/blas.h"
#include "linalg/gram.h"
#include "linalg/largest_eigenvalue.h"
#include "linalg/least_eigenvalue.h"
#include "objective/penalty.h"

#include <mugrad/objective/squared.h>

#include <algorithm>
#include <cassert>
#include <numeric>

namespace mugrad {
namespace {

template <class Real>
Matrix<Real> rounded(const Matrix<double>& matrix) {
  Matrix<Real> result(matrix.rows(), matrix.cols());
  std::ranges::transform(matrix.values(), result.values().begin(),
                         [](double value) { return static_cast<Real>(value); });
  return result;
}

/// Bounds of the eigenvalues of X'X/n and the penalty. The least is sought in small matrices only,
/// where that is quick; it is that of the whole Hessian, the free intercept included.
CurvatureRange curvature_of(Matrix<double> gram, const Penalty& penalty) {
  constexpr Index kQuick = 512;
  const double largest =
      largest_eigenvalue_bound(gram.rows(), [&](std::span<const double> v, std::span<double> out) {
        for (Index k = 0; k < gram.rows(); ++k) {
          const auto row = gram.row(k);
          out[static_cast<std::size_t>(k)] =
              std::inner_product(row.begin(), row.end(), v.begin(), 0.0);
        }
      });
  for (Index k = 1; k < gram.rows(); ++k) gram(k, k) += penalty.rho();
  return {.least = gram.rows() <= kQuick ? least_eigenvalue_bound(gram) : 0,
          .most = SquaredLoss::kCurvature * largest + penalty.curvature()};
}

template <class Real>
class GramTasks final : public TaskSet<Real> {
 public:
  GramTasks(const Design<Real>& design, const BinaryMatrix& labels,
            const LinearTaskOptions& options, ThreadPool& pool)
      : penalty_(options), pool_(pool) {
    auto gram = gram_matrix(design, pool);
    const auto products = label_products(design, labels);
    gram_ = rounded<Real>(gram);
    products_ = rounded<Real>(products);
    // y'y = y'1 for labels, which is the row of the ones.
    squares_.assign(products.row(0).begin(), products.row(0).end());
    range_ = curvature_of(std::move(gram), penalty_);
  }

  Index tasks() const override { return products_.cols(); }
  Index parameters() const override { return gram_.rows(); }

  void gradient(const Matrix<Real>& weights, Matrix<Real>& gradient,
                std::span<double> values) override {
    multiply(weights, gradient);
    for (std::size_t k = 0; k < products_.values().size(); ++k) {
      gradient.values()[k] -= products_.values()[k];
    }
    if (!values.empty()) add_values(weights, gradient, values);
    penalty_.add_gradient(weights, gradient);
  }

  void hessian_product(const Matrix<Real>& weights, const Matrix<Real>& direction,
                       Matrix<Real>& product) override {
    multiply(direction, product);
    penalty_.add_hessian_product(weights, direction, product);
  }

  std::vector<CurvatureRange> curvatures() override {
    return std::vector<CurvatureRange>(static_cast<std::size_t>(tasks()), range_);
  }

 private:
  /// result = X'X/n * from.
  void multiply(const Matrix<Real>& from, Matrix<Real>& result) {
    constexpr Index kPanel = 64;
    const Index n = gram_.rows();
    pool_.run((n + kPanel - 1) / kPanel, [&](Index item) {
      const Index begin = item * kPanel;
      blas::multiply<Real>(std::min(kPanel, n - begin), tasks(), n, {gram_.data() + begin * n, n},
                           {from.data(), tasks()}, 0, result.data() + begin * tasks(), tasks());
    });
  }

  /// |Xw - y|^2 / 2n = (w'g - w'b + y'y/n) / 2, where b = X'y/n and g = X'Xw/n - b.
  void add_values(const Matrix<Real>& weights, const Matrix<Real>& gradient,
                  std::span<double> values) const {
    std::ranges::copy(squares_, values.begin());
    for (Index k = 0; k < weights.rows(); ++k) {
      const auto w = weights.row(k);
      const auto g = gradient.row(k);
      const auto b = products_.row(k);
      for (std::size_t t = 0; t < w.size(); ++t) {
        values[t] +=
            static_cast<double>(w[t]) * (static_cast<double>(g[t]) - static_cast<double>(b[t]));
      }
    }
    for (double& value : values) value /= 2;
    penalty_.add_values(weights, values);
  }

  Penalty penalty_;
  ThreadPool& pool_;
  Matrix<Real> gram_;            ///< X'X / n
  Matrix<Real> products_;        ///< X'Y / n
  std::vector<double> squares_;  ///< y'y / n
  CurvatureRange range_;
};

}  // namespace

template <class Real>
bool gram_pays(const Design<Real>& design, Index tasks) {
  constexpr double kPasses = 100;       // a training run takes more
  constexpr double kEntries = 1 << 24;  // in double, 128 MB
  const auto rows = static_cast<double>(design.rows());
  const auto cols = static_cast<double>(design.cols());
  const double stored =
      design.is_sparse() ? rows + static_cast<double>(design.sparse().nonzeros()) : rows * cols;
  const double saved = (2 * stored - cols * cols) * static_cast<double>(tasks);
  const double forming = stored * stored / rows;
  return cols * cols <= kEntries && forming <= kPasses * saved;
}

template <class Real>
std::unique_ptr<TaskSet<Real>> gram_tasks(const Design<Real>& design, const BinaryMatrix& labels,
                                          const LinearTaskOptions& options, ThreadPool& pool) {
  assert(options.positive_weights.empty() && options.unknown == nullptr);
  return std::make_unique<GramTasks<Real>>(design, labels, options, pool);
}

template bool gram_pays(const Design<float>&, Index);
template bool gram_pays(const Design<double>&, Index);
template std::unique_ptr<TaskSet<float>> gram_tasks(const Design<float>&, const BinaryMatrix&,
                                                    const LinearTaskOptions&, ThreadPool&);
template std::unique_ptr<TaskSet<double>> gram_tasks(const Design<double>&, const BinaryMatrix&,
                                                     const LinearTaskOptions&, ThreadPool&);

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#include "objective/curvature_sums.h"

#include "linalg/dense/eigenvalues.h"
#include "objective/covariance.h"
#include "objective/logistic.h"
#include "objective/row_weights.h"
#include "objective/squared.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

namespace mugrad {
namespace {

/// In trials with texts, 8 directions were as good as 64, and much better than none.
constexpr Index kSparseDirections = 16;
/// Tasks whose sums are computed together.
constexpr Index kPanel = 16;
using Panel = std::array<double, kPanel>;

/// The sums of one panel of tasks, over all examples in their order.
template <class Real, class Loss>
class PanelSums {
 public:
  PanelSums(const Design<Real>& design, const BinaryMatrix& labels,
            const LinearTaskOptions& options, const RowWeights& rows, const Matrix<Real>& weights,
            Index begin)
      : design_(design),
        labels_(labels),
        options_(options),
        rows_(rows),
        weights_(weights),
        begin_(begin),
        width_(std::min(kPanel, weights.cols() - begin)),
        squares_(design.cols(), kPanel) {
    if (!design.is_sparse() || design.shift().empty()) return;
    sums_.resize(design.cols(), kPanel);
    for (std::size_t k = 0; k < design.shift().size(); ++k) {
      add_scores(as_index(k) + 1, -design.shift()[k], offset_);
    }
  }

  void write(Matrix<float>& diagonal) {
    for (Index row = 0; row < design_.rows(); ++row) {
      if (rows_[row] > 0) add(row);
    }
    for (Index k = 0; k < design_.cols(); ++k) {
      for (Index t = 0; t < width_; ++t) diagonal(k, begin_ + t) = entry(k, t);
    }
  }

 private:
  void add_scores(Index parameter, double value, Panel& z) const {
    const Real* const w = weights_.row(parameter).data() + begin_;
    for (Index t = 0; t < width_; ++t) z[as_size(t)] += value * static_cast<double>(w[t]);
  }

  void add(Index row) {
    Panel z = offset_;
    for_each_entry(design_, row,
                   [&](Index k, Real value) { add_scores(k, static_cast<double>(value), z); });
    Panel& curvature = z;
    for (double& entry : curvature) entry = rows_[row] * Loss::second_derivative(entry);
    apply_labels(row, curvature);
    for_each_entry(design_, row, [&](Index k, Real value) {
      const auto x = static_cast<double>(value);
      add_times(x * x, curvature, squares_.row(k));
      if (sums_.size() > 0) add_times(x, curvature, sums_.row(k));
    });
  }

  static void add_times(double factor, const Panel& curvature, std::span<double> to) noexcept {
    for (std::size_t t = 0; t < to.size(); ++t) to[t] += factor * curvature[t];
  }

  void apply_labels(Index row, Panel& curvature) const {
    const auto in_panel = [&](std::span<const LabelId> list, const auto& change) {
      for (auto it = std::ranges::lower_bound(list, static_cast<LabelId>(begin_));
           it != list.end() && *it < begin_ + width_; ++it) {
        change(as_size(*it), curvature[as_size(*it - begin_)]);
      }
    };
    if (!options_.positive_weights.empty()) {
      in_panel(labels_.row(row),
               [&](std::size_t task, double& entry) { entry *= options_.positive_weights[task]; });
    }
    if (options_.unknown == nullptr) return;
    in_panel(options_.unknown->row(row), [](std::size_t, double& entry) { entry = 0; });
  }

  /// sum h (x - s)^2 = sum h x^2 - 2 s sum h x + s^2 sum h.
  float entry(Index k, Index t) const {
    double sum = squares_(k, t);
    if (k > 0 && sums_.size() > 0) {
      const double shift = design_.shift()[as_size(k - 1)];
      sum += shift * (shift * squares_(0, t) - 2 * sums_(k, t));
    }
    constexpr double kMost = std::numeric_limits<float>::max();
    return static_cast<float>(std::clamp(sum, 0.0, kMost));
  }

  const Design<Real>& design_;
  const BinaryMatrix& labels_;
  const LinearTaskOptions& options_;
  const RowWeights& rows_;
  const Matrix<Real>& weights_;
  Index begin_, width_;
  Panel offset_{};          ///< what shifts add to scores
  Matrix<double> squares_;  ///< sum h x^2 of each parameter
  Matrix<double> sums_;     ///< sum h x; only with shifts
};

template <class Real, class Loss>
Matrix<float> diagonal_of(const Design<Real>& design, const BinaryMatrix& labels,
                          const LinearTaskOptions& options, const RowWeights& rows,
                          const Matrix<Real>& weights, ThreadPool& pool, Progress* progress) {
  Matrix<float> diagonal(design.cols(), weights.cols());
  const Index panels = (weights.cols() + kPanel - 1) / kPanel;
  for (Index first = 0; first < panels; first += pool.size()) {
    advance(progress, static_cast<double>(first) / static_cast<double>(panels));
    const Index count = std::min<Index>(pool.size(), panels - first);
    pool.run(count, [&](Index item) {
      PanelSums<Real, Loss>(design, labels, options, rows, weights, (first + item) * kPanel)
          .write(diagonal);
    });
  }
  advance(progress, 1);
  return diagonal;
}

/// The columns divided by their lengths, which belong to `squares`; columns of zeros stay.
Matrix<float> normalised(const Matrix<double>& rows, std::span<const double> squares) {
  Matrix<float> result(rows.rows(), rows.cols());
  for (Index j = 0; j < rows.rows(); ++j) {
    for (Index k = 0; k < rows.cols(); ++k) {
      const double length = std::sqrt(squares[as_size(k)]);
      result(j, k) = length > 0 ? static_cast<float>(rows(j, k) / length) : 0;
    }
  }
  return result;
}

/// R of the rows of a design: by (1, mean) and by the directions of the covariance.
template <class Real>
Matrix<float> factor_of(const Design<Real>& design, Index most, const RowWeights& rows,
                        ThreadPool& pool) {
  const auto shared = shared_curvature_of<Real>(design, rows, 0, {}, pool);
  const Index kept = std::min(most, shared.eigenvectors.rows());
  Matrix<double> directions(kept + 1, design.cols());
  for (Index k = 0; k < design.cols(); ++k) {
    const double mean = shared.mean.empty() || k == 0 ? 0 : shared.mean[as_size(k - 1)];
    directions(0, k) = k == 0 ? 1 : mean;
  }
  for (Index j = 0; j < kept; ++j) {
    const double deviation = std::sqrt(std::max(0.0, shared.eigenvalues[as_size(j)]));
    for (Index k = 0; k < shared.eigenvectors.cols(); ++k) {
      directions(j + 1, k + 1) = deviation * static_cast<double>(shared.eigenvectors(j, k));
    }
  }
  std::vector<double> squares(as_size(design.cols()), 1);
  std::ranges::copy(design.mean_squares(rows.values()), squares.begin() + 1);
  return normalised(directions, squares);
}

/// What a row of the diagonals sums to.
std::vector<double> totals(const Matrix<float>& diagonal) {
  std::vector<double> result;
  for (Index k = 0; k < diagonal.rows(); ++k) {
    double sum = 0;
    for (const float entry : diagonal.row(k)) sum += static_cast<double>(entry);
    result.push_back(sum);
  }
  return result;
}

/// The rows of both factors, each column times the root of its total.
Matrix<double> stacked(const CurvatureSums& a, std::span<const double> of_a, const CurvatureSums& b,
                       std::span<const double> of_b) {
  Matrix<double> rows(a.factor.rows() + b.factor.rows(), a.factor.cols());
  const auto put = [&](const Matrix<float>& factor, std::span<const double> total, Index first) {
    for (Index j = 0; j < factor.rows(); ++j) {
      for (Index k = 0; k < factor.cols(); ++k) {
        rows(first + j, k) = std::sqrt(total[as_size(k)]) * static_cast<double>(factor(j, k));
      }
    }
  };
  put(a.factor, of_a, 0);
  put(b.factor, of_b, a.factor.rows());
  return rows;
}

/// At most so many rows, with nearly the same products of columns: the leading ones of U'S, where
/// U diag U' = S S'.
Matrix<double> reduced(const Matrix<double>& s, Index most) {
  if (s.rows() <= most) return s;
  Matrix<double> products(s.rows(), s.rows());
  for (Index i = 0; i < s.rows(); ++i) {
    for (Index j = 0; j <= i; ++j) {
      double sum = 0;
      const auto a = s.row(i);
      const auto b = s.row(j);
      for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
      products(i, j) = products(j, i) = sum;
    }
  }
  const SymmetricEigen eigen = symmetric_eigen(products);
  Matrix<double> result(most, s.cols());
  for (Index j = 0; j < most; ++j) {
    const auto combination = eigen.vectors.row(s.rows() - 1 - j);
    const auto to = result.row(j);
    for (Index i = 0; i < s.rows(); ++i) {
      const auto from = s.row(i);
      for (std::size_t k = 0; k < to.size(); ++k) to[k] += combination[as_size(i)] * from[k];
    }
  }
  return result;
}

}  // namespace

Index correlation_directions(const Features& x) noexcept {
  const Index directions = curvature_directions(x.cols());
  const bool are_few = directions == x.cols();
  return x.is_sparse() && !are_few ? std::min(directions, kSparseDirections) : directions;
}

template <class Real>
CurvatureSums curvature_sums(const Features& x, const FeatureTransform& transform,
                             const BinaryMatrix& labels, const LinearTaskOptions& options,
                             const Matrix<Real>& weights, bool with_factor, ThreadPool& pool,
                             Progress* progress) {
  assert(weights.rows() == x.cols() + 1 && weights.cols() == labels.cols);
  const Design<Real> design(x, transform);
  const RowWeights rows(options.row_weights, x.rows());
  CurvatureSums sums;
  sums.diagonal =
      options.loss == LossKind::logistic
          ? diagonal_of<Real, LogisticLoss>(design, labels, options, rows, weights, pool, progress)
          : diagonal_of<Real, SquaredLoss>(design, labels, options, rows, weights, pool, progress);
  if (with_factor) sums.factor = factor_of(design, correlation_directions(x), rows, pool);
  return sums;
}

CurvatureSums added(const CurvatureSums& a, const CurvatureSums& b) {
  assert(a.diagonal.rows() == b.diagonal.rows() && a.diagonal.cols() == b.diagonal.cols());
  CurvatureSums sum{.diagonal = a.diagonal};
  constexpr float kMost = std::numeric_limits<float>::max();
  const auto more = b.diagonal.values();
  const auto all = sum.diagonal.values();
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = std::min(kMost, all[k] + more[k]);
  if (a.factor.rows() == 0 || b.factor.rows() == 0) return sum;
  const auto of_a = totals(a.diagonal);
  const auto of_b = totals(b.diagonal);
  auto of_both = of_a;
  for (std::size_t k = 0; k < of_both.size(); ++k) of_both[k] += of_b[k];
  const Index most = std::max(a.factor.rows(), b.factor.rows());
  sum.factor = normalised(reduced(stacked(a, of_a, b, of_b), most), of_both);
  return sum;
}

template decltype(curvature_sums<float>) curvature_sums<float>;
template decltype(curvature_sums<double>) curvature_sums<double>;

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#pragma once

#include "support/row_factor.h"

#include <mugrad/objective/linear_tasks.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace mugrad::testing {

/// Values and gradient of equations (1) to (3) as plain loops, on explicitly transformed features.
struct PlainResult {
  Matrix<double> gradient;
  std::vector<double> values, mean_curvatures;
};

inline std::vector<double> plain_row(const Features& x, const FeatureTransform& transform,
                                     Index i) {
  std::vector<double> row(static_cast<std::size_t>(x.cols()), 0);
  x.for_each_in_row(i, [&](FeatureId k, double v) { row[static_cast<std::size_t>(k)] = v; });
  for (std::size_t k = 0; k < row.size(); ++k) {
    row[k] *= row_factor(transform, x, i, as_index(k));
    if (!transform.shift.empty()) row[k] -= transform.shift[k];
    if (!transform.factor.empty()) row[k] *= transform.factor[k];
  }
  return row;
}

inline bool has(const BinaryMatrix& matrix, Index row, LabelId label) {
  return std::ranges::binary_search(matrix.row(row), label);
}

inline double plain_loss(LossKind kind, double z, double y) {
  return kind == LossKind::logistic ? std::log(1 + std::exp(z)) - y * z : (z - y) * (z - y) / 2;
}
inline double plain_slope(LossKind kind, double z, double y) {
  return kind == LossKind::logistic ? 1 / (1 + std::exp(-z)) - y : z - y;
}
inline double plain_curvature(LossKind kind, double z) {
  const double h = 1 / (1 + std::exp(-z));
  return kind == LossKind::logistic ? h * (1 - h) : 1;
}

/// Of one label.
inline void add_plain_losses(const Features& x, const FeatureTransform& transform,
                             const BinaryMatrix& labels, const LinearTaskOptions& options,
                             const Matrix<double>& w, LabelId t, PlainResult& result) {
  const auto task = static_cast<std::size_t>(t);
  const double c = options.positive_weights.empty() ? 1 : options.positive_weights[task];
  const auto is_known = [&](Index i) {
    return options.unknown == nullptr || !has(*options.unknown, i, t);
  };
  const auto times = [&](Index i) {
    return options.row_weights.empty() ? 1 : options.row_weights[static_cast<std::size_t>(i)];
  };
  double n = 0;
  for (Index i = 0; i < x.rows(); ++i) n += is_known(i) ? times(i) : 0;
  for (Index i = 0; i < x.rows(); ++i) {
    if (!is_known(i)) continue;
    const auto row = plain_row(x, transform, i);
    double z = w(0, t);
    for (std::size_t k = 0; k < row.size(); ++k) z += row[k] * w(static_cast<Index>(k) + 1, t);
    const bool positive = has(labels, i, t);
    const double share = times(i) * (positive ? c : 1) / n;
    result.values[task] += share * plain_loss(options.loss, z, positive ? 1 : 0);
    result.mean_curvatures[task] += share * plain_curvature(options.loss, z);
    const double r = share * plain_slope(options.loss, z, positive ? 1 : 0);
    result.gradient(0, t) += r;
    for (std::size_t k = 0; k < row.size(); ++k) {
      result.gradient(static_cast<Index>(k) + 1, t) += r * row[k];
    }
  }
}

inline PlainResult plain_reference(const Features& x, const FeatureTransform& transform,
                                   const BinaryMatrix& labels, const LinearTaskOptions& options,
                                   const Matrix<double>& w) {
  const std::vector<double> none(static_cast<std::size_t>(w.cols()));
  PlainResult result{Matrix<double>(w.rows(), w.cols()), none, none};
  for (LabelId t = 0; t < labels.cols; ++t) {
    add_plain_losses(x, transform, labels, options, w, t, result);
  }
  const double a = options.l1_sharpness;
  for (Index k = 1; k < w.rows(); ++k) {
    for (Index t = 0; t < w.cols(); ++t) {
      const double size = std::fabs(w(k, t));
      result.gradient(k, t) += options.rho * w(k, t) + options.l1 * std::tanh(a * w(k, t) / 2);
      result.values[static_cast<std::size_t>(t)] +=
          options.rho / 2 * size * size +
          options.l1 * (size + 2 / a * std::log1p(std::exp(-a * size)));
      if (options.unused != nullptr && has(*options.unused, k - 1, static_cast<LabelId>(t))) {
        result.gradient(k, t) = 0;
      }
    }
  }
  return result;
}

}  // namespace mugrad::testing

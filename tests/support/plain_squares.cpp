// SPDX-License-Identifier: MIT
#include "support/plain_squares.h"

#include <algorithm>
#include <cmath>

namespace mugrad::testing {

PlainSquares::PlainSquares(const Dataset& data)
    : a(data.rows(), data.features() + 1, 0),
      y(data.rows(), data.labels()),
      cosines(data.labels(), data.labels()) {
  for (Index i = 0; i < data.rows(); ++i) {
    double squares = 0;
    data.x.for_each_in_row(i, [&](FeatureId, double value) { squares += value * value; });
    a(i, 0) = 1;
    data.x.for_each_in_row(i, [&](FeatureId k, double value) {
      a(i, k + 1) = squares > 0 ? value / std::sqrt(squares) : 0;
    });
    for (const LabelId label : data.y.row(i)) y(i, label) = 1;
  }
  const Matrix<double> common = product(transposed(y), y);
  for (Index i = 0; i < common.rows(); ++i) {
    for (Index j = 0; j < common.cols(); ++j) {
      const double lengths = std::sqrt(common(i, i) * common(j, j));
      cosines(i, j) = i == j ? 1 : lengths > 0 ? common(i, j) / lengths : 0;
    }
  }
}

Matrix<double> PlainSquares::laplacian(double strength) const {
  Matrix<double> result(cosines.rows(), cosines.cols());
  for (Index i = 0; i < result.rows(); ++i) {
    for (Index j = 0; j < result.cols(); ++j) {
      result(i, j) -= strength * cosines(i, j);
      result(i, i) += strength * cosines(i, j);
    }
  }
  return result;
}

Matrix<double> PlainSquares::dissimilarity(double strength) const {
  Matrix<double> result = cosines;
  for (double& entry : result.values()) entry = strength * (1 - entry);
  return result;
}

Matrix<double> product(const Matrix<double>& a, const Matrix<double>& b) {
  Matrix<double> result(a.rows(), b.cols());
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index k = 0; k < a.cols(); ++k) {
      for (Index j = 0; j < b.cols(); ++j) result(i, j) += a(i, k) * b(k, j);
    }
  }
  return result;
}

Matrix<double> transposed(const Matrix<double>& a) {
  Matrix<double> result(a.cols(), a.rows());
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index j = 0; j < a.cols(); ++j) result(j, i) = a(i, j);
  }
  return result;
}

Matrix<double> sum(Matrix<double> a, const Matrix<double>& b, double factor) {
  for (std::size_t i = 0; i < a.values().size(); ++i) a.values()[i] += factor * b.values()[i];
  return a;
}

double inner_product(const Matrix<double>& a, const Matrix<double>& b) {
  double total = 0;
  for (std::size_t i = 0; i < a.values().size(); ++i) total += a.values()[i] * b.values()[i];
  return total;
}

double largest_entry(const Matrix<double>& a) {
  double largest = 0;
  for (const double entry : a.values()) largest = std::fmax(largest, std::fabs(entry));
  return largest;
}

double spectral_norm(const Matrix<double>& a) {
  Matrix<double> v(a.cols(), 1);
  for (Index k = 0; k < v.rows(); ++k) v(k, 0) = 1 + 0.1 * static_cast<double>(k % 7);
  double norm = 0;
  for (int step = 0; step < 2000; ++step) {
    v = product(transposed(a), product(a, v));
    const double length = std::sqrt(inner_product(v, v));
    if (length == 0) return 0;
    for (double& entry : v.values()) entry /= length;
    norm = std::sqrt(length);
  }
  return norm;
}

Matrix<double> softened(Matrix<double> a, double by) {
  for (double& entry : a.values()) {
    entry = std::copysign(std::fmax(std::fabs(entry) - by, 0.0), entry);
  }
  return a;
}

Index nonzeros(const Matrix<double>& a) { return a.size() - std::ranges::count(a.values(), 0.0); }

Matrix<double> all_weights(const Model& model, Index first, Index count) {
  const auto& contents = model.contents();
  const auto& weights = std::get<Matrix<double>>(contents.weights);
  Matrix<double> result(weights.rows() + 1, count);
  for (Index t = 0; t < count; ++t) {
    result(0, t) = contents.intercepts[static_cast<std::size_t>(first + t)];
    for (Index k = 0; k < weights.rows(); ++k) result(k + 1, t) = weights(k, first + t);
  }
  return result;
}

Matrix<double> all_weights(const Model& model) { return all_weights(model, 0, model.labels()); }

double off_minimum(const Matrix<double>& weights, const Matrix<double>& gradient, double price) {
  double most = 0;
  for (std::size_t i = 0; i < weights.values().size(); ++i) {
    const double weight = weights.values()[i];
    const double slope = gradient.values()[i];
    most = std::fmax(most, weight == 0  ? std::fabs(slope) - price
                           : weight > 0 ? std::fabs(slope + price)
                                        : std::fabs(slope - price));
  }
  return most;
}

}  // namespace mugrad::testing

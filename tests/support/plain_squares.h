// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>
#include <mugrad/linalg/matrix.h>
#include <mugrad/model/model.h>

namespace mugrad::testing {

/// What sparse least squares of labels are about, computed entry by entry.
struct PlainSquares {
  Matrix<double> a;  ///< a column of ones, then features in rows of length one
  Matrix<double> y;
  Matrix<double> cosines;

  explicit PlainSquares(const Dataset& data);

  Matrix<double> laplacian(double strength) const;
  Matrix<double> dissimilarity(double strength) const;  ///< 1 - cosines
};

Matrix<double> product(const Matrix<double>& a, const Matrix<double>& b);
Matrix<double> transposed(const Matrix<double>& a);
/// a + factor b.
Matrix<double> sum(Matrix<double> a, const Matrix<double>& b, double factor = 1);
double inner_product(const Matrix<double>& a, const Matrix<double>& b);
double largest_entry(const Matrix<double>& a);
/// The largest singular value, by many products.
double spectral_norm(const Matrix<double>& a);
/// Entries moved towards zero.
Matrix<double> softened(Matrix<double> a, double by);
Index nonzeros(const Matrix<double>& a);

/// Intercepts, and below them the weights, of some columns of a model in double precision.
Matrix<double> all_weights(const Model& model, Index first, Index count);
Matrix<double> all_weights(const Model& model);

/// By how much the gradient of a smooth function is off what a minimum of it plus price |W|_1
/// requires.
double off_minimum(const Matrix<double>& weights, const Matrix<double>& gradient, double price);

}  // namespace mugrad::testing

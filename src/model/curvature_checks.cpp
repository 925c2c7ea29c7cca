// SPDX-License-Identifier: MIT
#include "model/curvature_checks.h"

#include "model/head_checks.h"

#include <cmath>

namespace mugrad {
namespace {

/// So that products of two numbers of the factor are finite in single precision.
constexpr float kMostOfFactor = 1e15F;

void check_shape(const char* what, const Matrix<float>& matrix, Index rows, Index cols) {
  if (matrix.rows() == rows && matrix.cols() == cols) return;
  refuse("the {} of the curvature is {} x {}, {} x {} expected", what, matrix.rows(), matrix.cols(),
         rows, cols);
}

}  // namespace

void check_curvature(const ModelContents& contents) {
  const auto& [examples, diagonal, factor] = contents.curvature;
  if (examples.empty()) {
    if (diagonal.size() > 0 || factor.size() > 0) refuse("the curvature does not count examples");
    return;
  }
  if (!has_linear_scores(contents.head)) {
    refuse("the model has a curvature, but not one linear score per label");
  }
  const auto labels = std::ssize(contents.thresholds);
  const Index parameters = represented_features(contents.representation) + 1;
  if (std::ssize(examples) != labels) {
    refuse("the curvature counts the examples of {} labels, {} expected", examples.size(), labels);
  }
  for (const double count : examples) {
    if (!(std::isfinite(count) && count >= 0)) {
      refuse("the curvature counts {} examples, which is not a finite number >= 0", count);
    }
  }
  check_shape("diagonal", diagonal, parameters, labels);
  for (const float number : diagonal.values()) {
    if (!(std::isfinite(number) && number >= 0)) {
      refuse("a second derivative of the curvature is {}, which is not a finite number >= 0",
             number);
    }
  }
  if (factor.rows() == 0) return;
  // More rows than parameters are never needed.
  if (factor.rows() > parameters) {
    refuse("the factor of the curvature has {} rows, at most {} expected", factor.rows(),
           parameters);
  }
  check_shape("factor", factor, factor.rows(), parameters);
  for (const float number : factor.values()) {
    if (std::fabs(number) <= kMostOfFactor) continue;  // false for NaN
    refuse("a number of the factor of the curvature is {}, which is not within {:g}", number,
           kMostOfFactor);
  }
}

}  // namespace mugrad

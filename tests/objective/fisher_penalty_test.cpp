// SPDX-License-Identifier: MIT
#include "objective/jfsc_terms.h"
#include "support/golden.h"
#include "support/random_problem.h"

#include <mugrad/data/representation.h>

#include <gtest/gtest.h>

#include <algorithm>

namespace mugrad {
namespace {

/// sum over the examples with the label of (x - m)^2, the same over the others by n / n' of their
/// number, less n (m - m')^2.
double plain_penalty(const Dataset& data, Index feature, LabelId label) {
  const Matrix<double>& x = data.x.dense();
  double count[2] = {0, 0};
  double mean[2] = {0, 0};
  const auto class_of = [&](Index i) {
    return std::ranges::binary_search(data.y.row(i), label) ? 0 : 1;
  };
  for (Index i = 0; i < data.rows(); ++i) {
    ++count[class_of(i)];
    mean[class_of(i)] += x(i, feature);
  }
  for (const int c : {0, 1}) mean[c] /= count[c];
  double scatter[2] = {0, 0};
  for (Index i = 0; i < data.rows(); ++i) {
    const double distance = x(i, feature) - mean[class_of(i)];
    scatter[class_of(i)] += distance * distance;
  }
  const double apart = mean[0] - mean[1];
  return scatter[0] + count[0] / count[1] * scatter[1] - count[0] * apart * apart;
}

TEST(FisherPenalty, IsScatterWithinLessDistanceBetweenTheClasses) {
  const auto data = testing::random_problem(
      {.rows = 50, .features = 4, .labels = 3, .feature_probability = 0.6}, 3);
  for (const Features& x : {data.x, testing::as_sparse(data.x)}) {
    const auto penalty = fisher_penalty(Design<double>(x, {}), data.y);
    for (LabelId label = 0; label < 3; ++label) {
      EXPECT_NEAR(penalty(0, label), 0, 1e-12);  // the ones
      for (Index k = 0; k < 4; ++k) {
        EXPECT_NEAR(penalty(k + 1, label), plain_penalty(data, k, label), 1e-9);
      }
    }
  }
}

TEST(FisherPenalty, IsTheSameForSparseFeaturesThatAreShifted) {
  const auto data = testing::random_problem(
      {.rows = 50, .features = 4, .labels = 3, .feature_probability = 0.6}, 3);
  const auto transform = feature_transform(fit_representation(data.x, RepresentationKind::zscore));
  EXPECT_LT(testing::largest_difference(
                fisher_penalty(Design<double>(data.x, transform), data.y),
                fisher_penalty(Design<double>(testing::as_sparse(data.x), transform), data.y)),
            1e-9);
}

}  // namespace
}  // namespace mugrad

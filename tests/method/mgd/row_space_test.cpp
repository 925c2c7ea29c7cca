// SPDX-License-Identifier: MIT
// More features than examples: solved in the space of the rows, with the same result.
#include "support/golden.h"
#include "support/random_problem.h"

#include <mugrad/method/br.h>
#include <mugrad/method/mgd.h>

#include <gtest/gtest.h>

#include <memory>
#include <variant>

namespace mugrad {
namespace {

using testing::largest_difference;

MgdOptions exact() {
  return {
      .rho = 0.05, .tolerance = 1e-10, .precision = Precision::double_precision, .threads = {1}};
}

/// Never solved in the row space, because the L1 term depends on the features.
MgdOptions over_features() {
  auto options = exact();
  options.l1 = 1e-13;
  return options;
}

Dataset wide() { return testing::random_problem({.rows = 40, .features = 120, .labels = 5}, 9); }

double difference(const Model& a, const Model& b) {
  return largest_difference(std::get<Matrix<double>>(a.contents().weights),
                            std::get<Matrix<double>>(b.contents().weights));
}

TEST(MgdInRowSpace, FindsTheWeightsThatItFindsOverFeatures) {
  const auto data = wide();
  for (const auto kind : representation_kinds()) {
    for (const auto similarity : {Similarity::cosine, Similarity::pearson, Similarity::weights}) {
      auto inside = exact();
      auto outside = over_features();
      inside.representation = outside.representation = kind;
      inside.similarity = outside.similarity = similarity;
      EXPECT_LT(difference(fit(data, inside), fit(data, outside)), 1e-7)
          << to_string(kind) << ' ' << to_string(similarity);
    }
  }
}

TEST(MgdInRowSpace, StartsFromAModel) {
  const auto data = wide();
  auto again = exact();
  again.initial = std::make_shared<const Model>(fit(data, over_features()));
  const auto model = fit(data, again);
  EXPECT_LT(difference(model, *again.initial), 1e-8);
  EXPECT_LE(model.contents().report.solve->effort, 3);
}

TEST(MgdInRowSpace, EveryModelOfAPathIsTheOneThatFitTrainsAlone) {
  const auto data = wide();
  const std::vector<double> rhos = {0.3, 0.03}, sigmas = {0, 0.1};
  fit_path(data, exact(), rhos, sigmas, [&](const MgdSetting& setting, const Model& model) {
    auto single = over_features();
    single.rho = setting.rho;
    single.sigma = setting.sigma;
    EXPECT_LT(difference(model, fit(data, single)), 1e-7);
    return true;
  });
}

TEST(MgdInRowSpace, TakesWeightsOfExamplesAndUnknownLabels) {
  auto data = wide();
  data.row_weights.assign(as_size(data.rows()), 1);
  data.row_weights[1] = 0;
  data.row_weights[2] = 3;
  data.unknown.cols = data.labels();
  for (Index row = 0; row < data.rows(); ++row) {
    if (row == 7 && data.y.row(row).empty()) data.unknown.column.push_back(2);
    data.unknown.end_row();
  }
  EXPECT_LT(difference(fit(data, exact()), fit(data, over_features())), 1e-7);
}

}  // namespace
}  // namespace mugrad

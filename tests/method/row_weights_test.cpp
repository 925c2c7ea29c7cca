// SPDX-License-Identifier: MIT
// An example that counts k times is k examples.
#include "support/linear_representations.h"
#include "support/random_problem.h"

#include <mugrad/core/error.h>
#include <mugrad/data/splits.h>
#include <mugrad/method/br.h>
#include <mugrad/method/method.h>
#include <mugrad/method/mgd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace mugrad {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// Examples that count 0 to 3 times.
Dataset weighted_data(std::uint64_t seed = 3) {
  auto data = testing::random_problem(
      {.rows = 60, .features = 4, .labels = 3, .feature_probability = 0.7}, seed);
  for (Index row = 0; row < data.rows(); ++row) {
    // The first two rows make sure of both classes.
    data.row_weights.push_back(static_cast<double>(row < 2 ? row + 1 : (row * 7) % 4));
  }
  return data;
}

/// Each example as often as it counts.
Dataset repeated(const Dataset& data) {
  std::vector<Index> rows;
  for (Index row = 0; row < data.rows(); ++row) {
    for (double left = data.weight_of(row); left > 0; --left) rows.push_back(row);
  }
  auto result = select_rows(data, rows);
  result.row_weights.clear();
  return result;
}

void expect_near(const Matrix<double>& a, const Matrix<double>& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  double largest = 0;
  for (std::size_t k = 0; k < a.values().size(); ++k) {
    largest = std::max(largest, std::fabs(a.values()[k] - b.values()[k]));
  }
  EXPECT_LE(largest, tolerance);
}

class WeightedMethod : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, WeightedMethod, ::testing::Values("mgd", "br", "cc", "ecc"));

TEST_P(WeightedMethod, TakesAnExampleThatCountsTwiceForTwo) {
  const Method& method = method_named(GetParam());
  for (const auto kind : testing::linear_representations()) {
    const std::string representation(to_string(kind));
    OptionValues values = {
        {"representation", representation}, {"tolerance", "1e-6"}, {"rho", "0.05"}};
    if (method.name() == "mgd") values.insert({{"precision", "double"}, {"sigma", "0.3"}});
    if (method.name() == "ecc") values.insert({{"sampling", "none"}, {"members", "3"}});
    auto data = weighted_data();
    for (const Features& x : {data.x, testing::as_sparse(data.x)}) {
      data.x = x;
      const auto weighted = method.fit(data, values, {1}, nullptr);
      const auto plain = method.fit(repeated(data), values, {1}, nullptr);
      // Weights are floats but for mgd, and either model is as near to the answer as asked for.
      expect_near(weighted.scores(x), plain.scores(x), 2e-5);
      for (std::size_t k = 0; k < 4; ++k) {
        EXPECT_NEAR(weighted.contents().representation.mean[k],
                    plain.contents().representation.mean[k], 1e-14);
        EXPECT_NEAR(weighted.contents().representation.deviation[k],
                    plain.contents().representation.deviation[k], 1e-14);
      }
    }
  }
}

TEST_P(WeightedMethod, HasALabelConstantWhoseExamplesThatCountAreOfOneClass) {
  auto data = weighted_data();
  std::ranges::fill(data.row_weights, 1.0);
  // Label 2 is there in the examples that do not count alone, label 1 in all others.
  data.y = {.cols = 3};
  for (Index row = 0; row < data.rows(); ++row) {
    const bool counts = row % 5 != 0;
    if (!counts) data.row_weights[static_cast<std::size_t>(row)] = 0;
    if (row % 2 == 0) data.y.column.push_back(0);
    if (counts) data.y.column.push_back(1);
    if (!counts) data.y.column.push_back(2);
    data.y.end_row();
  }
  const auto model = method_named(GetParam()).fit(data, {}, {1}, nullptr);
  EXPECT_THAT(model.contents().report.constant_labels, ElementsAre(1, 2));
  const auto scores = model.scores(data.x);
  for (Index row = 0; row < data.rows(); ++row) {
    EXPECT_GT(scores(row, 1), 0.95);
    EXPECT_LT(scores(row, 2), 0.05);
  }
}

TEST_P(WeightedMethod, RefusesWeightsThatAreNone) {
  const auto refused = [&](std::vector<double> weights, const std::string& message) {
    auto data = weighted_data();
    data.row_weights = std::move(weights);
    EXPECT_THAT([&] { method_named(GetParam()).fit(data, {}, {1}, nullptr); },
                ThrowsMessage<InputError>(HasSubstr(message)));
  };
  refused({1, 2}, "random has 60 examples, but weights of 2");
  refused(std::vector<double>(60, 0), "every example of random has weight 0");
  std::vector<double> weights(60, 1);
  weights[7] = -1;
  refused(weights, "example 7 of random has the weight -1");
  weights[7] = std::numeric_limits<double>::quiet_NaN();
  refused(weights, "example 7 of random has the weight nan");
  refused(std::vector<double>(60, 1e308), "too large to sum");
}

TEST(RowWeights, AreRefusedByMethodsThatDoNotTrainByThem) {
  int refusing = 0;
  for (const Method* const method : methods()) {
    const auto name = method->name();
    if (method->traits().takes_row_weights) continue;
    ++refusing;
    EXPECT_THAT(
        [&] { method->fit(weighted_data(), {}, {1}, nullptr); },
        ThrowsMessage<UsageError>(AllOf(HasSubstr(std::string(name) + " does not support weights"),
                                        HasSubstr(names_of_methods([](const MethodTraits& of) {
                                          return of.takes_row_weights;
                                        })))));
  }
  EXPECT_GT(refusing, 0);
}

TEST(RowWeights, GoWithTheRowsThatAreChosen) {
  const auto data = weighted_data();
  const auto part = select_rows(data, std::vector<Index>{5, 5, 2});
  EXPECT_THAT(part.row_weights,
              ElementsAre(data.row_weights[5], data.row_weights[5], data.row_weights[2]));
  const auto split = stratified_split(data);
  EXPECT_EQ(std::ssize(split.train.row_weights), split.train.rows());
  EXPECT_EQ(split.train.total_weight() + split.test.total_weight(), data.total_weight());
}

TEST(RowWeights, AllAlikeAreAsGoodAsNone) {
  auto data = weighted_data();
  data.row_weights.clear();
  const MgdOptions options{
      .sigma = 0.4, .tolerance = 1e-8, .precision = Precision::double_precision};
  const auto expected = fit(data, options).scores(data.x);
  for (const double weight : {1.0, 3.0, 1e-30, 1e250}) {
    data.row_weights.assign(60, weight);
    expect_near(fit(data, options).scores(data.x), expected, 1e-7);
  }
  // In single precision, too, sums stay finite.
  expect_near(fit(data, {.sigma = 0.4}).scores(data.x), expected, 1e-3);
}

TEST(RowWeights, CountForUnknownLabelsAndEverySimilarity) {
  for (const auto similarity :
       {Similarity::cosine, Similarity::jaccard, Similarity::conditional, Similarity::pearson}) {
    auto data = weighted_data(5);
    data.unknown.cols = 3;
    for (Index row = 0; row < data.rows(); ++row) {
      const auto label = static_cast<LabelId>(row % 3);
      const bool is_unknown =
          row > 10 && row % 4 == 1 && !std::ranges::binary_search(data.y.row(row), label);
      if (is_unknown) data.unknown.column.push_back(label);
      data.unknown.end_row();
    }
    const MgdOptions options{.sigma = 0.4,
                             .similarity = similarity,
                             .tolerance = 1e-8,
                             .precision = Precision::double_precision};
    const auto weighted = fit(data, options);
    const auto plain = fit(repeated(data), options);
    expect_near(weighted.scores(data.x), plain.scores(data.x), 1e-7);
    const auto& relations = weighted.contents().relations;
    ASSERT_EQ(relations.column, plain.contents().relations.column);
    for (std::size_t k = 0; k < relations.value.size(); ++k) {
      EXPECT_NEAR(relations.value[k], plain.contents().relations.value[k], 1e-12);
    }
  }
}

TEST(RowWeights, OfUnknownExamplesMayDwarfAllOthers) {
  // Label 1 is known of the light examples alone.
  auto data = weighted_data();
  const BinaryMatrix all = data.y;
  data.y = {.cols = 3};
  data.unknown.cols = 3;
  std::vector<Index> light;
  for (Index row = 0; row < data.rows(); ++row) {
    const bool is_heavy = row > 30;
    data.row_weights[static_cast<std::size_t>(row)] = is_heavy ? 1e14 : 0.1;
    if (!is_heavy) light.push_back(row);
    for (const LabelId label : all.row(row)) {
      if (label != 1 || !is_heavy) data.y.column.push_back(label);
    }
    data.y.end_row();
    if (is_heavy) data.unknown.column.push_back(1);
    data.unknown.end_row();
  }
  const MgdOptions options{.sigma = 0,
                           .representation = RepresentationKind::none,
                           .tolerance = 1e-10,
                           .precision = Precision::double_precision};
  const auto together = fit(data, options).scores(data.x);
  const auto alone = fit(select_rows(data, light), options).scores(data.x);
  for (Index row = 0; row < data.rows(); ++row) EXPECT_NEAR(together(row, 1), alone(row, 1), 1e-6);
}

TEST(RowWeights, CountUnderSquaredLossAndWekasRidge) {
  const auto data = weighted_data();
  const MgdOptions squared{
      .loss = LossKind::squared, .tolerance = 1e-8, .precision = Precision::double_precision};
  expect_near(fit(data, squared).scores(data.x), fit(repeated(data), squared).scores(data.x), 1e-7);
  const BrOptions weka{.weka_ridge = true, .tolerance = 1e-6};
  expect_near(fit(data, weka).scores(data.x), fit(repeated(data), weka).scores(data.x), 1e-3);
}

}  // namespace
}  // namespace mugrad

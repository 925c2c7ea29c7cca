// SPDX-License-Identifier: MIT
#include "method/common/initial_weights.h"
#include "support/random_problem.h"
#include "support/text_problem.h"

#include <mugrad/core/error.h>
#include <mugrad/method/br.h>
#include <mugrad/method/cc.h>
#include <mugrad/method/mgd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace mugrad {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

Dataset some_data(std::uint64_t seed = 3) {
  return testing::random_problem({.rows = 80, .features = 6, .labels = 4}, seed);
}

std::shared_ptr<const Model> shared(Model model) {
  return std::make_shared<const Model>(std::move(model));
}

MgdOptions exact(double tolerance = 1e-9) {
  return {.sigma = 0.4, .tolerance = tolerance, .precision = Precision::double_precision};
}

double largest_difference(const Matrix<double>& a, const Matrix<double>& b) {
  double largest = 0;
  for (std::size_t k = 0; k < a.values().size(); ++k) {
    largest = std::max(largest, std::fabs(a.values()[k] - b.values()[k]));
  }
  return largest;
}

TEST(WarmStart, AtTheAnswerStopsAtOnce) {
  const auto data = some_data();
  for (const auto precision : {Precision::single_precision, Precision::double_precision}) {
    for (const auto solver : {SolverKind::accelerated, SolverKind::plain}) {
      MgdOptions options{.sigma = 0.4, .solver = solver, .precision = precision};
      const auto cold = fit(data, options);
      options.initial = shared(cold);
      const auto warm = fit(data, options);
      EXPECT_GT(cold.contents().report.solve->effort, 4);
      // One for what to be relative to, one at the start, and one at what is returned.
      EXPECT_LE(warm.contents().report.solve->effort, 3);
      EXPECT_EQ(warm.contents().report.solve->stop, "converged");
      EXPECT_EQ(warm.contents().weights, cold.contents().weights);
      EXPECT_EQ(warm.contents().intercepts, cold.contents().intercepts);
      EXPECT_NEAR(warm.contents().report.solve->first_residual,
                  cold.contents().report.solve->first_residual,
                  1e-6 * cold.contents().report.solve->first_residual);
      EXPECT_EQ(warm.contents().options.at("start"), "given");
    }
  }
}

TEST(WarmStart, ReachesTheSameEquilibriumFromAnotherModel) {
  const auto data = some_data();
  const auto other = some_data(4);
  MgdOptions options = exact();
  const auto cold = fit(data, options);
  options.initial = shared(fit(other, exact(1e-2)));
  EXPECT_LT(largest_difference(fit(data, options).scores(data.x), cold.scores(data.x)), 1e-7);
}

TEST(WarmStart, ServesBrToo) {
  const auto data = some_data();
  BrOptions options{.rho = 0.02};
  options.initial = shared(fit(data, options));
  const auto warm = fit(data, options);
  EXPECT_LE(warm.contents().report.solve->effort, 3);
  EXPECT_EQ(warm.contents().weights, options.initial->contents().weights);
  EXPECT_EQ(warm.contents().report.method, "br");
}

TEST(WarmStart, BeginsAPathToo) {
  const auto data = some_data();
  MgdOptions options = exact(1e-4);
  options.rho = 0.02;
  options.initial = shared(fit(data, options));
  const std::vector<MgdSetting> settings = {{.rho = 0.02, .sigma = 0.4}};
  fit_path(data, options, settings, [&](const MgdSetting&, const Model& model) {
    EXPECT_LE(model.contents().report.solve->effort, 2);
    EXPECT_EQ(model.contents().weights, options.initial->contents().weights);
    return true;
  });
}

TEST(WarmStart, ScoresOfAModelStayWhatTheyAreUnderAnotherScaling) {
  auto data = some_data();
  for (Index row = 0; row < data.rows(); ++row) data.x.dense()(row, 2) = 3.5;  // constant
  const auto other = some_data(9);
  for (const auto from : {RepresentationKind::zscore, RepresentationKind::none}) {
    for (const auto to : {RepresentationKind::zscore, RepresentationKind::none}) {
      MgdOptions options = exact(1e-3);
      options.representation = from;
      const auto model = fit(other, options);
      const Representation representation = fit_representation(data.x, to);
      const auto weights = weights_under(model, representation);
      ModelContents contents = model.contents();
      contents.representation = representation;
      Matrix<double> features(6, 4);
      std::ranges::copy(weights.row(0), contents.intercepts.begin());
      for (Index k = 0; k < 6; ++k) {
        std::ranges::copy(weights.row(k + 1), features.row(k).begin());
      }
      contents.weights = features;
      EXPECT_LT(largest_difference(Model(contents).scores(data.x), model.scores(data.x)), 1e-13);
    }
  }
}

TEST(WarmStart, BesideTextsConvertsWeightsOfTheOtherFeatures) {
  auto data = testing::text_problem(60, 3);
  for (const auto from : {RepresentationKind::zscore, RepresentationKind::none}) {
    MgdOptions options = exact();
    options.representation = from;
    const auto model = fit(data, options);
    const auto to =
        from == RepresentationKind::zscore ? RepresentationKind::none : RepresentationKind::zscore;
    const Representation representation = fit_representation(data.x, to, {}, data.term_blocks);
    const auto weights = weights_under(model, representation);
    ModelContents contents = model.contents();
    contents.representation = representation;
    Matrix<double> features(data.features(), data.labels());
    std::ranges::copy(weights.row(0), contents.intercepts.begin());
    for (Index k = 0; k < data.features(); ++k) {
      std::ranges::copy(weights.row(k + 1), features.row(k).begin());
    }
    contents.weights = features;
    EXPECT_LT(largest_difference(Model(contents).scores(data.x), model.scores(data.x)), 1e-12);
    options.initial = shared(model);
    EXPECT_LE(fit(data, options).contents().report.solve->effort, 3);
  }
}

TEST(WarmStart, IsRefusedWhereOtherFeaturesAreTerms) {
  const auto data = testing::text_problem(60, 3);
  auto others = data;
  others.term_blocks.pop_back();
  MgdOptions options;
  options.initial = shared(fit(others, options));
  EXPECT_THAT([&] { fit(data, options); },
              ThrowsMessage<UsageError>(HasSubstr("other features are terms of texts in the model "
                                                  "to start from than in the data")));
}

TEST(WarmStart, LeavesOutLabelsThatAreConstantNow) {
  auto data = some_data();
  const auto whole = fit(data, exact());
  data.y = {.cols = 4};
  for (Index row = 0; row < data.rows(); ++row) {
    if (row % 3 == 0) data.y.column.push_back(0);
    if (row % 2 == 0) data.y.column.push_back(2);
    data.y.end_row();
  }
  MgdOptions options = exact();
  const auto cold = fit(data, options);
  options.initial = shared(whole);
  const auto warm = fit(data, options);
  EXPECT_EQ(warm.contents().report.constant_labels, (std::vector<LabelId>{1, 3}));
  EXPECT_LT(largest_difference(warm.scores(data.x), cold.scores(data.x)), 1e-7);
}

TEST(WarmStart, IsRefusedForModelsOfAnotherKind) {
  const auto data = some_data();
  const auto refused = [&](const Dataset& on, MgdOptions options, Model model,
                           const std::string& message) {
    options.initial = shared(std::move(model));
    EXPECT_THAT([&] { fit(on, options); }, ThrowsMessage<UsageError>(HasSubstr(message)));
  };
  const auto narrow = testing::random_problem({.rows = 80, .features = 5, .labels = 4}, 1);
  const auto few = testing::random_problem({.rows = 80, .features = 6, .labels = 3}, 1);
  refused(data, {}, fit(narrow), "the model to start from has 5 features, the data has 6");
  refused(data, {}, fit(few), "the model to start from has 3 labels, the data has 4");
  refused(data, {}, fit(data, CcOptions{}), "the head 'chains' of method cc");
  refused(data, {.loss = LossKind::squared}, fit(data),
          "have the link 'logistic', those to be trained have 'identity'");
  refused(data, {.representation = RepresentationKind::unit_row}, fit(data),
          "was trained with the representation 'zscore', and its weights are invalid with "
          "'unit-row'");
  auto named = data;
  named.feature_names = {"a", "b", "c", "d", "e", "f"};
  auto renamed = named;
  renamed.feature_names[3] = "x";
  refused(renamed, {}, fit(named),
          "feature 3 of the model to start from is 'd', that of the data is 'x'");
}

}  // namespace
}  // namespace mugrad

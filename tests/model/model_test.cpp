// SPDX-License-Identifier: MIT
#include "support/small_model.h"

#include <mugrad/core/error.h>
#include <mugrad/model/model.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace mugrad {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::small_model;
using ::testing::ThrowsMessage;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// One way to break the small model, and words of the message that must tell it.
struct Defect {
  const char* words;
  std::function<void(ModelContents&)> change;
};

TEST(Model, KnowsItsSizesAndNames) {
  auto contents = small_model();
  const Model model(contents);
  EXPECT_EQ(model.features(), 2);
  EXPECT_EQ(model.labels(), 3);
  EXPECT_EQ(model.label_name(1), "sad");
  contents.label_names.clear();
  contents.feature_names.clear();
  EXPECT_EQ(Model(contents).label_name(1), "1");
}

TEST(Model, TakesOtherThresholdsForAllLabelsOrOneByOne) {
  const Model model(small_model());
  const Matrix<double> x(4, 2, 3);
  const auto scores = model.scores(x);
  EXPECT_THAT(model.with_thresholds({0.25}).contents().thresholds, Each(0.25));
  const std::vector<double> own = {0, 1, 0};
  const auto changed = model.with_thresholds(own);
  EXPECT_EQ(changed.contents().thresholds, own);
  EXPECT_EQ(changed.scores(x), scores);
  EXPECT_THAT(changed.predict(x).row(3), ElementsAre(0, 2));
  EXPECT_NE(model.contents().thresholds, own);
  EXPECT_THROW(model.with_thresholds({0.5, 0.5}), UsageError);
  EXPECT_THROW(model.with_thresholds({}), UsageError);
  EXPECT_THROW(model.with_thresholds({0.5, 0.5, 1.5}), InputError);
}

TEST(Model, ScoresAsTheOneThatWasAssignedToIt) {
  const Matrix<double> x(1, 2, 3);
  auto contents = small_model();
  Model model(contents);
  const auto before = model.scores(x);
  contents.intercepts[1] += 1;
  const Model other(contents);
  model = other;
  EXPECT_EQ(model.scores(x), other.scores(x));
  EXPECT_NE(model.scores(x), before);
  const Model moved = std::move(model);
  EXPECT_EQ(moved.scores(x), other.scores(x));
}

TEST(Model, WithoutFeaturesIsFine) {
  auto contents = small_model();
  contents.feature_names.clear();
  contents.representation.mean.clear();
  contents.representation.deviation.clear();
  contents.weights = Matrix<double>(0, 3);
  EXPECT_EQ(Model(contents).features(), 0);
}

TEST(Model, IdentityLinkGivesLinearScoresAndTakesAnyThreshold) {
  auto contents = small_model();
  const Matrix<double> x(1, 2, 3);
  const auto probabilities = Model(contents).scores(x);
  contents.head = IndependentHead{Link::identity};
  contents.thresholds = {-2, 0.5, 7};
  const Model model(contents);
  const auto scores = model.scores(x);
  for (Index t = 0; t < 3; ++t) {
    EXPECT_NEAR(1 / (1 + std::exp(-scores(0, t))), probabilities(0, t), 1e-12);
  }
  EXPECT_LT(scores(0, 2), 7);
  EXPECT_GT(std::fabs(scores(0, 0)), 1);  // no probability
}

TEST(Model, PartsThatDoNotFitAreRefused) {
  const Defect defects[] = {
      {"no labels", [](auto& c) { c.thresholds.clear(); }},
      {"3 rows of weights, 2 expected", [](auto& c) { c.weights = Matrix<float>(3, 3); }},
      {"2 columns of weights, 3 expected", [](auto& c) { c.weights = Matrix<double>(2, 2); }},
      {"3 columns of weights, 2 expected", [](auto& c) { c.intercepts.pop_back(); }},
      {"3 columns of weights, 4 expected",
       [](auto& c) {
         c.thresholds.push_back(0.5);
         c.label_names.push_back("x");
       }},
      {"3 feature deviations, 2 expected",
       [](auto& c) { c.representation.deviation.push_back(1); }},
      {"1 feature names, 2 expected", [](auto& c) { c.feature_names.pop_back(); }},
      {"4 label names, 3 expected", [](auto& c) { c.label_names.push_back("x"); }},
      {"4 columns of relations", [](auto& c) { c.relations.cols = 4; }},
      {"3 row starts of relations, 4 expected", [](auto& c) { c.relations.row_start.pop_back(); }},
      {"0 row starts of relations, 4 expected", [](auto& c) { c.relations.row_start.clear(); }},
      {"2 strengths of relations, 3 expected", [](auto& c) { c.relations.value.pop_back(); }},
  };
  for (const auto& [words, change] : defects) {
    auto contents = small_model();
    change(contents);
    EXPECT_THAT([&] { const Model model(contents); }, ThrowsMessage<InputError>(HasSubstr(words)));
  }
}

TEST(Model, NumbersOutOfRangeAreRefused) {
  const Defect defects[] = {
      {"the weight of feature 'Höhe \"5\"' for label 'sad' is nan, which is not finite",
       [](auto& c) { std::get<Matrix<float>>(c.weights)(1, 1) = static_cast<float>(kNan); }},
      {"the intercept of label 'happy' is inf", [](auto& c) { c.intercepts[0] = kInfinity; }},
      {"the threshold of label 'sad' is 2, which is not in [0, 1]",
       [](auto& c) { c.thresholds[1] = 2; }},
      {"the threshold of label 'sad' is nan", [](auto& c) { c.thresholds[1] = kNan; }},
      {"the threshold of label 'sad' is inf, which is not finite",
       [](auto& c) {
         c.head = IndependentHead{Link::identity};
         c.thresholds[1] = kInfinity;
       }},
      {"the mean of feature 'tempo' is -inf",
       [](auto& c) { c.representation.mean[0] = -kInfinity; }},
      {"the deviation of feature 'tempo' is -1",
       [](auto& c) { c.representation.deviation[0] = -1; }},
      {"the deviation of feature 'tempo' is inf",
       [](auto& c) { c.representation.deviation[0] = kInfinity; }},
      {"the row starts of the relations are not ascending",
       [](auto& c) {
         c.relations.row_start = {0, 3, 2, 3};
       }},
      {"the row starts of the relations are not ascending",
       [](auto& c) {
         c.relations.row_start = {1, 2, 2, 3};
       }},
      {"the row starts of the relations are not ascending from 0 to 3",
       [](auto& c) {
         c.relations.row_start = {0, 2, 2, 9};
       }},
      {"the relations of label 'happy' are not ascending labels below 3",
       [](auto& c) {
         c.relations.column = {2, 1, 0};
       }},
      {"the relations of label 'happy'", [](auto& c) { c.relations.column[1] = 3; }},
      {"the relations of label 'quiet-still'", [](auto& c) { c.relations.column[2] = -1; }},
      {"a relation of label 'happy' has strength -0.5",
       [](auto& c) { c.relations.value[0] = -0.5; }},
      {"a relation of label 'happy' has strength nan",
       [](auto& c) { c.relations.value[0] = kNan; }},
      {"-1 rows", [](auto& c) { c.report.rows = -1; }},
      {"a number of the report is nan", [](auto& c) { c.report.solve->residual = kNan; }},
      {"a solver without a name", [](auto& c) { c.report.solve->solver.clear(); }},
      {"label 3 as constant", [](auto& c) { c.report.constant_labels = {3}; }},
      {"the label name 'Mus\xedque' is not UTF-8",
       [](auto& c) { c.label_names[0] = "Mus\xedque"; }},
  };
  for (const auto& [words, change] : defects) {
    auto contents = small_model();
    change(contents);
    EXPECT_THAT([&] { const Model model(contents); }, ThrowsMessage<InputError>(HasSubstr(words)));
  }
}

}  // namespace
}  // namespace mugrad

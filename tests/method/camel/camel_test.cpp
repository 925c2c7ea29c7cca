// SPDX-License-Identifier: MIT
#include "support/label_rows.h"
#include "support/random_problem.h"
#include "support/temporary_folder.h"

#include <mugrad/core/error.h>
#include <mugrad/method/camel.h>
#include <mugrad/method/method.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace mugrad {
namespace {

using testing::as_sparse;
using testing::binary_rows;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::random_problem;
using ::testing::ThrowsMessage;

/// Features at random for the labels given.
Dataset data_of(const std::vector<std::vector<int>>& labels) {
  auto data = random_problem({.rows = std::ssize(labels), .features = 3, .labels = 1}, 12);
  data.y = binary_rows(labels);
  return data;
}

const KernelHead& head_of(const Model& model) {
  return std::get<KernelHead>(model.contents().head);
}

TEST(Camel, SparseAndDenseFeaturesGiveTheSameScores) {
  const auto data =
      random_problem({.rows = 60, .features = 8, .labels = 5, .feature_probability = 0.4}, 3);
  auto sparse = data;
  sparse.x = as_sparse(data.x);
  for (const auto representation : representation_kinds()) {
    const CamelOptions options{.representation = representation};
    const auto model = fit(data, options);
    const auto same = fit(sparse, options);
    const auto expected = model.scores(data.x);
    for (const Features& x : {data.x, sparse.x}) {
      const auto scores = same.scores(x);
      for (Index i = 0; i < scores.size(); ++i) {
        EXPECT_NEAR(scores.data()[i], expected.data()[i], 1e-5);
      }
    }
  }
}

TEST(Camel, LearnsWhatNoLinearModelCan) {
  // Label 0 is inside a circle, label 1 outside of it.
  auto data = random_problem({.rows = 200, .features = 2, .labels = 2}, 5);
  data.y = {.cols = 2, .row_start = {0}, .column = {}};
  for (Index i = 0; i < data.rows(); ++i) {
    const auto row = data.x.dense().row(i);
    const double squares = row[0] * row[0] + row[1] * row[1];
    data.y.column.push_back(squares < 1.4 ? 0 : 1);
    data.y.end_row();
  }
  const auto predicted = fit(data, CamelOptions{.lambda2 = 0.01}).predict(data.x);
  Index right = 0;
  for (Index i = 0; i < data.rows(); ++i) {
    right += std::ranges::equal(predicted.row(i), data.y.row(i)) ? 1 : 0;
  }
  EXPECT_GT(right, 180);
}

TEST(Camel, LabelsWithOneClassOnlyScoreThatClassAndChangeNoOther) {
  const auto base = random_problem({.rows = 50, .features = 4, .labels = 3}, 6);
  auto data = base;  // a label that is never there before the others, one that always is behind
  data.y = {.cols = 5, .row_start = {0}, .column = {}};
  for (Index i = 0; i < base.rows(); ++i) {
    for (const LabelId label : base.y.row(i)) data.y.column.push_back(label + 1);
    data.y.column.push_back(4);
    data.y.end_row();
  }
  const auto model = fit(data, CamelOptions{});
  EXPECT_THAT(model.contents().report.constant_labels, ElementsAre(0, 4));
  EXPECT_THAT(model.contents().report.warnings, ElementsAre(HasSubstr("and score -1 or 1: ")));
  const auto scores = model.scores(data.x);
  const auto expected = fit(base, CamelOptions{}).scores(base.x);
  for (Index i = 0; i < base.rows(); ++i) {
    EXPECT_EQ(scores(i, 0), -1);
    EXPECT_EQ(scores(i, 4), 1);
    for (Index t = 0; t < 3; ++t) EXPECT_EQ(scores(i, t + 1), expected(i, t));
  }
}

TEST(Camel, DegenerateDataMakesAModelOfFiniteScores) {
  auto alike = data_of({{1, 0}, {0, 1}, {1, 1}});
  alike.x = Matrix<double>(3, 2, 7);
  const std::vector<Dataset> cases = {alike, data_of({{1, 0}}), data_of({{1}, {0}, {1}}),
                                      data_of({{0, 0}, {0, 0}}),
                                      data_of({{1, 1, 1}, {0, 0, 0}, {1, 1, 1}, {0, 0, 0}})};
  for (const auto& data : cases) {
    for (const double share : {0.0, 0.5, 1.0}) {
      const auto model = fit(data, CamelOptions{.collaboration = share});
      const auto scores = model.scores(data.x);
      for (const double score : scores.values()) EXPECT_TRUE(std::isfinite(score));
      EXPECT_TRUE(std::isfinite(model.contents().report.solve->minimised));
    }
  }
}

TEST(Camel, OneLabelIsTheSameWhateverTheCollaboration) {
  const auto data = random_problem({.rows = 40, .features = 3, .labels = 1}, 7);
  const auto alone = fit(data, CamelOptions{.collaboration = 0});
  const auto with = fit(data, CamelOptions{.collaboration = 1});
  EXPECT_EQ(head_of(alone), head_of(with));
}

TEST(Camel, IsTheSameAfterSavingAndLoading) {
  const testing::TemporaryFolder folder;
  const auto path = folder / "camel.mugrad";
  const auto model =
      fit(random_problem({.rows = 30, .features = 4, .labels = 3}, 8), CamelOptions{});
  model.save(path);
  EXPECT_EQ(Model::load(path).contents(), model.contents());
}

TEST(Camel, RefusesWhatItCannotTrainOn) {
  auto data = random_problem({.rows = 20, .features = 2, .labels = 2}, 3);
  const auto fit_with = [&](const OptionValues& values) {
    return method_named("camel").fit(data, values, {1}, nullptr);
  };
  EXPECT_THAT(
      [&] {
        fit_with({{"collaboration", "1.5"}});
      },
      ThrowsMessage<UsageError>(HasSubstr("collaboration must be in [0, 1], got 1.5")));
  EXPECT_THAT(
      [&] {
        fit_with({{"lambda2", "0"}});
      },
      ThrowsMessage<UsageError>(HasSubstr("lambda2 must be in (0, 100000000], got 0")));
  data.x.dense()(3, 1) = 1e300;
  EXPECT_THAT(
      [&] {
        fit_with({{"representation", "none"}});
      },
      ThrowsMessage<InputError>(HasSubstr("random has values too large")));
  data.x.dense()(3, 1) = 1;
  data.unknown = {.cols = 2, .row_start = {0}, .column = {}};
  for (Index i = 0; i < data.rows(); ++i) {
    if (data.y.row(i).empty()) data.unknown.column.push_back(0);
    data.unknown.end_row();
  }
  EXPECT_THAT([&] { fit_with({}); },
              ThrowsMessage<InputError>(HasSubstr("camel requires all labels to be known")));
}

}  // namespace
}  // namespace mugrad

// SPDX-License-Identifier: MIT
#include "method/lift/lift_label.h"
#include "support/label_rows.h"
#include "support/random_problem.h"

#include <mugrad/core/error.h>
#include <mugrad/core/memory.h>
#include <mugrad/method/lift.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <thread>

namespace mugrad {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

const DistanceHead& head_of(const Model& model) {
  return std::get<DistanceHead>(model.contents().head);
}
const Matrix<float>& centres_of(const Model& model) {
  return std::get<Matrix<float>>(model.contents().weights);
}

/// Labels that features tell something of.
Dataset some_data(Index rows, Index features, Index labels, std::uint64_t seed) {
  auto data = testing::random_problem({.rows = rows, .features = features, .labels = labels}, seed);
  auto& x = data.x.dense();
  for (Index row = 0; row < rows; ++row) {
    for (const LabelId label : data.y.row(row)) x(row, label % features) += 2;
  }
  return data;
}

/// Distances of the rows to the centres of a model, without tricks.
Matrix<double> plain_distances(const Matrix<double>& x, const Matrix<float>& centres) {
  Matrix<double> result(x.rows(), centres.cols());
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index c = 0; c < centres.cols(); ++c) {
      double sum = 0;
      for (Index k = 0; k < x.cols(); ++k) {
        const double difference = x(i, k) - static_cast<double>(centres(k, c));
        sum += difference * difference;
      }
      result(i, c) = std::sqrt(sum);
    }
  }
  return result;
}

void expect_near(const Matrix<double>& a, const Matrix<double>& b, double tolerance) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.cols(), b.cols());
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index j = 0; j < a.cols(); ++j) ASSERT_NEAR(a(i, j), b(i, j), tolerance) << i << ' ' << j;
  }
}

TEST(Lift, ScoresAreProbabilitiesOfALinearFunctionOfDistances) {
  const auto data = some_data(70, 4, 3, 3);
  const auto model = fit(data, LiftOptions{.representation = RepresentationKind::none});
  const auto& head = head_of(model);
  const auto features = plain_distances(data.x.dense(), centres_of(model));
  const auto scores = model.scores(data.x);
  for (Index row = 0; row < 70; ++row) {
    for (std::size_t label = 0; label < 3; ++label) {
      double f = head.offset[label];
      for (Index c = head.centre_start[label]; c < head.centre_start[label + 1]; ++c) {
        f += head.weight[static_cast<std::size_t>(c)] * features(row, c);
      }
      const double score = scores(row, static_cast<Index>(label));
      EXPECT_NEAR(score, 1 / (1 + std::exp(head.slope[label] * f + head.shift[label])), 1e-9);
      EXPECT_GE(score, 0);
      EXPECT_LE(score, 1);
    }
  }
}

TEST(Lift, LearnsWhatItCanKnow) {
  const auto data = some_data(200, 4, 4, 3);
  const auto scores = fit(data, LiftOptions{}).scores(data.x);
  Index right = 0;
  for (Index row = 0; row < 200; ++row) {
    for (LabelId label = 0; label < 4; ++label) {
      const bool has = std::ranges::binary_search(data.y.row(row), label);
      right += (scores(row, label) >= 0.5) == has ? 1 : 0;
    }
  }
  EXPECT_GT(right, 800 * 3 / 4);
}

TEST(Lift, HasCentresForAShareOfTheSeldomerClass) {
  EXPECT_EQ(centres_per_class(30, 100, 0.1), 3);
  EXPECT_EQ(centres_per_class(31, 100, 0.1), 4);
  EXPECT_EQ(centres_per_class(70, 100, 0.1), 3);
  EXPECT_EQ(centres_per_class(100, 300, 0.07), 7);  // which is 7.000000000000001 before rounding
  EXPECT_EQ(centres_per_class(1, 100, 0.1), 1);
  EXPECT_EQ(centres_per_class(50, 100, 1), 50);
  const auto data = some_data(100, 4, 3, 3);
  const auto positives = column_counts(data.y);
  const auto start = head_of(fit(data, LiftOptions{.ratio = 0.2})).centre_start;
  for (std::size_t label = 0; label < 3; ++label) {
    EXPECT_EQ(start[label + 1] - start[label], 2 * centres_per_class(positives[label], 100, 0.2));
  }
}

TEST(Lift, TinyRatioLeavesTheDistancesToTheMeansOfTheClasses) {
  const auto data = some_data(60, 5, 3, 4);
  const auto model =
      fit(data, LiftOptions{.ratio = 1e-6, .representation = RepresentationKind::none});
  EXPECT_THAT(head_of(model).centre_start, ElementsAre(0, 2, 4, 6));
  const auto& centres = centres_of(model);
  for (LabelId label = 0; label < 3; ++label) {
    for (const bool positive : {true, false}) {
      std::vector<double> mean(5);
      double count = 0;
      for (Index row = 0; row < 60; ++row) {
        if (std::ranges::binary_search(data.y.row(row), label) != positive) continue;
        ++count;
        for (std::size_t k = 0; k < 5; ++k) mean[k] += data.x.dense().row(row)[k];
      }
      for (Index k = 0; k < 5; ++k) {
        EXPECT_NEAR(centres(k, 2 * label + (positive ? 0 : 1)),
                    mean[static_cast<std::size_t>(k)] / count, 1e-6);
      }
    }
  }
}

TEST(Lift, MovingAndTurningTheFeaturesChangesNeitherDistancesNorScores) {
  const auto data = some_data(80, 4, 3, 5);
  auto turned = data;
  auto& x = turned.x.dense();
  for (Index row = 0; row < 80; ++row) {
    for (Index k = 0; k + 1 < 4; ++k) {  // by some angle in each of three planes
      const double angle = 0.3 + static_cast<double>(k);
      const double a = x(row, k), b = x(row, k + 1);
      x(row, k) = std::cos(angle) * a - std::sin(angle) * b;
      x(row, k + 1) = std::sin(angle) * a + std::cos(angle) * b;
    }
    for (Index k = 0; k < 4; ++k) x(row, k) += 10 - 3 * static_cast<double>(k);
  }
  const LiftOptions options{.representation = RepresentationKind::none};
  const auto model = fit(data, options);
  const auto other = fit(turned, options);
  // Centres are stored in single precision.
  expect_near(plain_distances(x, centres_of(other)),
              plain_distances(data.x.dense(), centres_of(model)), 1e-5);
  expect_near(other.scores(turned.x), model.scores(data.x), 1e-4);
}

TEST(Lift, TwiceTheRowsAndHalfTheRatioGiveAsManyCentres) {
  const auto data = some_data(90, 4, 5, 6);
  std::vector<Index> twice;
  for (Index row = 0; row < 90; ++row) twice.insert(twice.end(), {row, row});
  for (const double ratio : {0.1, 0.3, 1.0}) {
    EXPECT_EQ(head_of(fit(select_rows(data, twice), LiftOptions{.ratio = ratio / 2})).centre_start,
              head_of(fit(data, LiftOptions{.ratio = ratio})).centre_start);
  }
}

TEST(Lift, SparseFeaturesGiveTheScoresOfDenseOnes) {
  auto data = testing::random_problem(
      {.rows = 90, .features = 12, .labels = 3, .feature_probability = 0.3}, 7);
  auto sparse = data;
  sparse.x = testing::as_sparse(data.x);
  for (const auto representation : representation_kinds()) {
    const auto model = fit(sparse, LiftOptions{.representation = representation});
    expect_near(model.scores(sparse.x),
                fit(data, LiftOptions{.representation = representation}).scores(data.x), 1e-4);
  }
}

TEST(Lift, TrainsOnTheDistancesThatScoresAreMadeOf) {
  auto data = testing::random_problem(
      {.rows = 50, .features = 8, .labels = 2, .feature_probability = 0.4}, 8);
  data.x = testing::as_sparse(data.x);
  const auto transform = feature_transform(fit_representation(data.x, RepresentationKind::zscore));
  const ScaledRows rows(data.x, transform);
  const auto positives = transposed(data.y);
  const LiftOptions options{.ratio = 0.4};
  const auto label = fit_lift_label(rows, positives.row(1), 1, options);
  const auto features = distances(rows, label.centres);
  const auto scores = fit(data, options).scores(data.x);
  for (Index row = 0; row < 50; ++row) {
    // The distance of a row to a centre that it equals is the root of a rounding error.
    EXPECT_NEAR(label.representation.probability(label.svm.decide(features.row(row))),
                scores(row, 1), 1e-7);
  }
}

TEST(Lift, DependsOnTheSeedAloneAndNotOnThreads) {
  const auto data = some_data(120, 5, 7, 9);
  const auto model = fit(data, LiftOptions{.seed = 3, .threads = {1}});
  for (const int threads : {1, 2, 3}) {
    EXPECT_EQ(fit(data, LiftOptions{.seed = 3, .threads = {threads}}).contents(), model.contents());
  }
  EXPECT_NE(centres_of(fit(data, LiftOptions{.seed = 4})), centres_of(model));
}

TEST(Lift, LabelIsTheSameWhateverLabelsComeAfterIt) {
  const auto data = some_data(80, 4, 5, 10);
  auto fewer = data;
  fewer.y = {.cols = 2, .row_start = {0}, .column = {}};
  for (Index row = 0; row < 80; ++row) {
    for (const LabelId label : data.y.row(row)) {
      if (label < 2) fewer.y.column.push_back(label);
    }
    fewer.y.end_row();
  }
  const auto all = fit(data, LiftOptions{}).scores(data.x);
  const auto some = fit(fewer, LiftOptions{}).scores(data.x);
  for (Index row = 0; row < 80; ++row) {
    for (Index label = 0; label < 2; ++label) EXPECT_EQ(some(row, label), all(row, label));
  }
}

TEST(Lift, LabelsWithOneClassPredictTheirBaseRate) {
  Dataset data{.name = "few", .x = testing::dense_rows({{0, 1}, {1, 0}, {2, 5}, {3, 1}, {1, 1}})};
  data.y = testing::binary_rows({{0, 1, 1}, {0, 1, 0}, {0, 1, 0}, {0, 1, 1}, {0, 1, 0}});
  const auto model = fit(data, LiftOptions{});
  EXPECT_THAT(head_of(model).centre_start, ElementsAre(0, 0, 0, 2));
  EXPECT_THAT(model.contents().report.constant_labels, ElementsAre(0, 1));
  EXPECT_THAT(model.contents().report.warnings, ElementsAre(HasSubstr("2 of 3 labels")));
  const auto scores = model.scores(data.x);
  for (Index row = 0; row < 5; ++row) {
    EXPECT_NEAR(scores(row, 0), 0.5 / 6, 1e-12);
    EXPECT_NEAR(scores(row, 1), 5.5 / 6, 1e-12);
  }
}

TEST(Lift, DataOfFewRowsOrOfNothingToLearnFromGivesFiniteScores) {
  const std::vector<Dataset> sets = {
      {.name = "one row", .x = testing::dense_rows({{1, 2}}), .y = testing::binary_rows({{1, 0}})},
      {.name = "two rows",
       .x = testing::dense_rows({{1, 2}, {2, 1}}),
       .y = testing::binary_rows({{1, 0}, {0, 0}})},
      {.name = "all the same",
       .x = testing::dense_rows({{1, 2}, {1, 2}, {1, 2}, {1, 2}}),
       .y = testing::binary_rows({{1, 0}, {0, 1}, {0, 1}, {0, 0}})},
      {.name = "rows of zeros",
       .x = testing::as_sparse(testing::dense_rows({{0, 0}, {0, 0}, {0, 3}, {0, 0}})),
       .y = testing::binary_rows({{1}, {0}, {1}, {0}})},
      {.name = "single positive",
       .x = testing::dense_rows({{1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}}),
       .y = testing::binary_rows({{0}, {0}, {0}, {1}, {0}, {0}, {0}, {0}})},
  };
  for (const auto& data : sets) {
    for (const auto representation : representation_kinds()) {
      for (const double ratio : {0.1, 1.0}) {
        const auto model = fit(data, LiftOptions{.ratio = ratio, .representation = representation});
        const auto scores = model.scores(data.x);
        for (const double score : scores.values()) {
          EXPECT_TRUE(score >= 0 && score <= 1) << data.name << ' ' << score;
        }
      }
    }
  }
}

TEST(Lift, SaysHowItWentAndWhetherKMeansWasCutShort) {
  const auto data = some_data(150, 4, 3, 11);
  const auto whole = fit(data, LiftOptions{.ratio = 0.5}).contents().report.solve.value();
  EXPECT_EQ(whole.stop, "converged");
  EXPECT_EQ(whole.solver, "k-means and svm");
  EXPECT_GT(whole.effort, 1);
  EXPECT_LE(whole.residual, 1e-8);
  EXPECT_GT(whole.first_residual, whole.residual);
  EXPECT_GT(whole.minimised, 0);
  const auto cut =
      fit(data, LiftOptions{.ratio = 0.5, .max_iterations = 1}).contents().report.solve.value();
  EXPECT_EQ(cut.stop, "iteration-limit");
  EXPECT_EQ(cut.effort, 1);
}

TEST(Lift, ProgressRisesAndMayStop) {
  class Shares final : public Progress {
   public:
    bool update(double share) override {
      EXPECT_GE(share, last);
      last = share;
      return share < stop_at;
    }
    double last = 0;
    double stop_at = 2;
  } progress;
  const auto data = some_data(60, 3, 9, 12);
  fit(data, LiftOptions{.threads = {1}}, &progress);
  EXPECT_DOUBLE_EQ(progress.last, 1);
  progress.last = 0;
  progress.stop_at = 0.5;
  EXPECT_THROW(fit(data, LiftOptions{.threads = {1}}, &progress), InterruptedError);
  EXPECT_LT(progress.last, 1);
}

TEST(Lift, RefusesOptionsOutOfRangeAndUnknownLabels) {
  auto data = some_data(20, 3, 2, 13);
  EXPECT_THAT([&] { fit(data, LiftOptions{.ratio = 0}); },
              ThrowsMessage<UsageError>("ratio must be in (0, 1], got 0"));
  EXPECT_THAT([&] { fit(data, LiftOptions{.c = 0}); },
              ThrowsMessage<UsageError>("c must be in (0, 100000000], got 0"));
  EXPECT_THAT([&] { fit(data, LiftOptions{.max_iterations = 0}); },
              ThrowsMessage<UsageError>("kmeans-iterations must be >= 1, got 0"));
  data.unknown = {.cols = 2, .row_start = std::vector<Index>(20, 0), .column = {0}};
  data.unknown.end_row();
  data.y = {.cols = 2, .row_start = std::vector<Index>(21, 0), .column = {}};
  EXPECT_THAT([&] { fit(data, LiftOptions{}); },
              ThrowsMessage<InputError>(HasSubstr("lift requires all labels to be known")));
}

TEST(Lift, ProgressIsUpdatedWithinALabelAndByTheCallingThreadAlone) {
  class Counter final : public Progress {
   public:
    bool update(double share) override {
      EXPECT_EQ(std::this_thread::get_id(), thread_);
      last = share;
      return ++calls != refused;
    }
    double last = 0;
    int calls = 0;
    int refused = 0;

   private:
    std::thread::id thread_ = std::this_thread::get_id();
  };
  const auto data = some_data(80, 3, 1, 12);
  Counter alone;
  fit(data, LiftOptions{.threads = {1}}, &alone);
  EXPECT_GT(alone.calls, 20);  // one label, but its k-means and six SVMs
  Counter stopped;
  stopped.refused = 10;
  EXPECT_THROW(fit(data, LiftOptions{.threads = {1}}, &stopped), InterruptedError);
  EXPECT_EQ(stopped.last, 0);
  for (const int threads : {2, 8}) {
    Counter many;
    many.refused = 2;
    EXPECT_THROW(fit(data, LiftOptions{.threads = {threads}}, &many), InterruptedError);
  }
}

TEST(Lift, SaysHowManyLabelsKMeansWasCutShortOf) {
  const auto data = some_data(150, 4, 3, 11);
  const auto cut = fit(data, LiftOptions{.ratio = 0.5, .max_iterations = 1}).contents().report;
  EXPECT_THAT(
      cut.warnings,
      ElementsAre(HasSubstr("k-means of 3 of 3 labels had not converged after 1 iterations")));
}

TEST(Lift, NumbersThatLeaveTheFiniteOnesAreAnErrorThatNamesLabelAndC) {
  const auto data = some_data(40, 3, 2, 5);
  const ScaledRows rows(data.x, {});
  const auto positives = transposed(data.y);
  const auto label = fit_lift_label(rows, positives.row(1), 1, {.c = 1e300});
  EXPECT_EQ(label.svm_stop, Stop::diverged);
  EXPECT_THAT([&] { throw_if_diverged(label, "rain", 1e300); },
              ThrowsMessage<DivergenceError>(AllOf(HasSubstr("'rain'"), HasSubstr("c 1e+300"))));
  EXPECT_NO_THROW(throw_if_diverged(fit_lift_label(rows, positives.row(1), 1, {}), "rain", 1));
  EXPECT_THAT([&] { fit(data, LiftOptions{.c = 1e300}); },
              ThrowsMessage<UsageError>("c must be in (0, 100000000], got 1e+300"));
}

TEST(Lift, CentresThatMemoryDoesNotSufficeForAreRefusedBeforeAnythingIsTrained) {
  Dataset data{.name = "wide", .x = CsrMatrix<double>{.cols = 10'000'000}};
  auto& x = data.x.sparse();
  data.y.cols = 200'000;
  for (LabelId row = 0; row < 4; ++row) {
    x.column.push_back(row);
    x.value.push_back(1);
    x.end_row();
    for (LabelId label = row % 2; label < data.y.cols; label += 2) data.y.column.push_back(label);
    data.y.end_row();
  }
  EXPECT_THAT([&] { fit(data, LiftOptions{}); },
              ThrowsMessage<MemoryError>(HasSubstr("for the centres of labels")));
}

}  // namespace
}  // namespace mugrad

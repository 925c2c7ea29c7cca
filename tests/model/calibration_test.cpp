// SPDX-License-Identifier: MIT
#include "support/random_heads.h"
#include "support/small_model.h"
#include "support/temporary_folder.h"

#include <mugrad/core/error.h>
#include <mugrad/core/random.h>
#include <mugrad/model/scorer.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace mugrad {
namespace {

using ::testing::HasSubstr;
using testing::kRandomHeadFeatures;
using testing::random_model_of_every_head;
using ::testing::ThrowsMessage;

constexpr int kSeeds = 6;

Matrix<double> random_rows(Index rows, std::uint64_t seed) {
  RandomStream random(seed, "rows");
  Matrix<double> x(rows, kRandomHeadFeatures);
  for (double& value : x.values()) value = random.normal();
  return x;
}

Calibration random_calibration(Index labels, std::uint64_t seed) {
  RandomStream random(seed, "calibration");
  Calibration calibration;
  for (Index label = 0; label < labels; ++label) {
    calibration.slope.push_back(0.5 + random.uniform());
    calibration.shift.push_back(random.normal());
  }
  return calibration;
}

/// By the definition of Calibration.
double calibrated(const Model& model, const Calibration& calibration, Index label, double score) {
  double u = score;
  if (score_range(model.contents().head).are_probabilities) {
    const double p = std::fmin(std::fmax(score, 1e-9), 1 - 1e-9);
    u = std::log(p) - std::log1p(-p);
  }
  const auto at = static_cast<std::size_t>(label);
  return 1 / (1 + std::exp(-(calibration.slope[at] * u + calibration.shift[at])));
}

TEST(CalibratedModel, HasTheProbabilitiesOfTheDefinitionForEveryHead) {
  const auto x = random_rows(40, 3);
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    for (const Model& model : random_model_of_every_head(seed)) {
      const auto calibration = random_calibration(model.labels(), seed);
      const auto scores = model.scores(x);
      const Model changed = model.with_calibration(calibration);
      const auto found = changed.scores(x);
      EXPECT_EQ(score_range(changed.contents()), ScoreRange{});
      for (Index row = 0; row < x.rows(); ++row) {
        for (Index label = 0; label < model.labels(); ++label) {
          // Log-odds of probabilities near 1 have few digits.
          EXPECT_NEAR(found(row, label), calibrated(model, calibration, label, scores(row, label)),
                      1e-6)
              << kind_of(model.contents().head);
        }
      }
    }
  }
}

TEST(CalibratedModel, PredictsTheSameLabelsForEveryHead) {
  const auto x = random_rows(60, 4);
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    for (const Model& model : random_model_of_every_head(seed)) {
      const Model changed = model.with_calibration(random_calibration(model.labels(), seed));
      EXPECT_EQ(changed.predict(x), model.predict(x)) << kind_of(model.contents().head);
    }
  }
}

TEST(CalibratedModel, PredictsWhatItsScoresSay) {
  const auto x = random_rows(50, 5);
  for (const Model& model : random_model_of_every_head(1)) {
    const Model changed =
        model.with_calibration(random_calibration(model.labels(), 2)).with_thresholds({0.4});
    const auto scores = changed.scores(x);
    const auto labels = changed.predict(x);
    for (Index row = 0; row < x.rows(); ++row) {
      std::vector<LabelId> expected;
      for (LabelId label = 0; label < model.labels(); ++label) {
        if (scores(row, label) >= 0.4) expected.push_back(label);
      }
      EXPECT_THAT(labels.row(row), ::testing::ElementsAreArray(expected));
    }
  }
}

TEST(CalibratedModel, KeepsItsLinearScores) {
  const auto x = random_rows(20, 6);
  for (const Model& model : random_model_of_every_head(2)) {
    if (!has_linear_scores(model.contents().head)) continue;
    const Model changed = model.with_calibration(random_calibration(model.labels(), 3));
    EXPECT_EQ(changed.linear_scores(x), model.linear_scores(x));
  }
}

TEST(CalibratedModel, HasProbabilitiesWhereLinearScoresOverflow) {
  const auto models = random_model_of_every_head(4);
  Matrix<double> x(1, kRandomHeadFeatures);
  x(0, 0) = 1e300;
  for (const Model& model : models) {
    if (!has_linear_scores(model.contents().head)) continue;
    const auto scores = model.with_calibration(random_calibration(model.labels(), 4)).scores(x);
    for (const double score : scores.values()) EXPECT_TRUE(score >= 0 && score <= 1) << score;
  }
}

TEST(CalibratedModel, RefusesScoresThatAreNotFinite) {
  auto contents = testing::small_model();
  contents.representation.kind = RepresentationKind::none;
  const double huge = 1e308;
  Matrix<double> first(2, 6, huge);
  contents.weights = first;
  contents.intercepts.assign(6, 0);
  contents.head = FeedbackHead{.rounds = 1, .label_weights = Matrix<double>(3, 3, huge)};
  const Model model = Model(contents).with_calibration({{1, 1, 1}, {0, 0, 0}});
  Matrix<double> x(1, 2, 1e308);
  EXPECT_THROW(model.scores(x), ScoreError);
}

TEST(CalibratedModel, KeepsThresholdsOfZeroAndOne) {
  for (const double threshold : {0.0, 1.0}) {
    const Model model = Model(testing::small_model()).with_thresholds({threshold});
    EXPECT_EQ(model.with_calibration({{2, 2, 2}, {1, 1, 1}}).contents().thresholds,
              model.contents().thresholds);
  }
}

TEST(CalibratedModel, IsSavedInFormat3) {
  const testing::TemporaryFolder folder;
  for (const Model& model : random_model_of_every_head(5)) {
    const Model changed = model.with_calibration(random_calibration(model.labels(), 5));
    changed.save(folder / "m");
    EXPECT_EQ(Model::load(folder / "m").contents(), changed.contents());
    EXPECT_THAT(testing::read_file(folder / "m"), HasSubstr("\"format_version\":\"3\""));
  }
}

TEST(CalibratedModel, RefusesNumbersThatAreNone) {
  const Model model(testing::small_model());
  const auto refused = [&](std::vector<double> slope, std::vector<double> shift, const char* why) {
    auto contents = model.contents();
    contents.calibration = {std::move(slope), std::move(shift)};
    EXPECT_THAT([&] { Model{contents}; }, ThrowsMessage<InputError>(HasSubstr(why)));
  };
  refused({1}, {0}, "the model has 1 slopes of the calibration, 3 expected");
  refused({1, 1, 1}, {0, 0}, "the model has 2 shifts of the calibration, 3 expected");
  refused({}, {0, 0, 0}, "the model has 3 shifts of the calibration, 0 expected");
  refused({1, -1, 1}, {0, 0, 0}, "has slope -1 and shift 0, which must be within 1e+06");
  refused({1, 1, std::nan("")}, {0, 0, 0}, "has slope nan");
  refused({1, 1, 1}, {0, -1e7, 0}, "shift -10000000");
  EXPECT_THROW(model.with_calibration({}), UsageError);
  const Model changed = model.with_calibration({{1, 1, 1}, {0, 0, 0}});
  EXPECT_THROW(changed.with_calibration({{1, 1, 1}, {0, 0, 0}}), UsageError);
}

}  // namespace
}  // namespace mugrad

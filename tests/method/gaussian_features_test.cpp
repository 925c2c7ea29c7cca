// SPDX-License-Identifier: MIT
// Training with Gaussian features.
#include "support/method_name.h"
#include "support/random_problem.h"

#include <mugrad/core/error.h>
#include <mugrad/method/br.h>
#include <mugrad/method/certify.h>
#include <mugrad/method/method.h>
#include <mugrad/method/mgd.h>
#include <mugrad/method/mgd_regression.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

namespace mugrad {
namespace {

using testing::as_sparse;
using ::testing::HasSubstr;
using testing::random_problem;
using ::testing::ThrowsMessage;

const OptionValues kGaussian = {{"representation", "gaussian"}, {"centres", "20"}};

Dataset some_data() {
  auto data = random_problem({.rows = 70, .features = 5, .labels = 4}, 6);
  data.feature_names = {"a", "b", "c", "d", "e"};
  return data;
}

MgdOptions gaussian_options() {
  MgdOptions options;
  options.representation = RepresentationKind::gaussian;
  options.gaussian.centres = 20;
  return options;
}

/// Label 0 is inside a circle, label 1 outside.
Dataset circle(std::uint64_t seed) {
  auto data = random_problem({.rows = 300, .features = 2, .labels = 2}, seed);
  data.y = {.cols = 2, .row_start = {0}, .column = {}};
  for (Index i = 0; i < data.rows(); ++i) {
    const auto row = data.x.dense().row(i);
    data.y.column.push_back(row[0] * row[0] + row[1] * row[1] < 1.2 ? 0 : 1);
    data.y.end_row();
  }
  return data;
}

class EveryMethodWithGaussianFeatures : public ::testing::TestWithParam<const Method*> {
 protected:
  Model fitted(const Dataset& data, OptionValues values = kGaussian, int threads = 1) const {
    return GetParam()->fit(data, values, {threads}, nullptr);
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, EveryMethodWithGaussianFeatures,
                         ::testing::ValuesIn(methods().begin(), methods().end()),
                         testing::method_name);

TEST_P(EveryMethodWithGaussianFeatures, GivesAModelOfTheFeaturesInTheData) {
  const auto data = some_data();
  const Model model = fitted(data);
  const auto& contents = model.contents();
  EXPECT_EQ(model.features(), 5);
  EXPECT_EQ(contents.feature_names, data.feature_names);
  EXPECT_EQ(contents.representation.kind, RepresentationKind::gaussian);
  EXPECT_EQ(contents.representation.gaussian.centres.rows(), 20);
  EXPECT_EQ(contents.options.at("representation"), "gaussian");
  EXPECT_EQ(contents.options.at("centres"), "20");
  EXPECT_EQ(contents.options.at("width"), "1");
  EXPECT_EQ(contents.report.rows, 70);
  const auto scores = model.scores(data.x);
  for (const double score : scores.values()) EXPECT_TRUE(std::isfinite(score));
}

TEST_P(EveryMethodWithGaussianFeatures, GivesTheSameBytesForAnyNumberOfThreads) {
  const auto data = some_data();
  EXPECT_EQ(fitted(data, kGaussian, 1).to_bytes(), fitted(data, kGaussian, 3).to_bytes());
}

TEST_P(EveryMethodWithGaussianFeatures, GivesTheSameModelForDenseAndSparseFeatures) {
  auto data =
      random_problem({.rows = 60, .features = 6, .labels = 3, .feature_probability = 0.4}, 9);
  const auto dense = fitted(data);
  const Features x = data.x;
  data.x = as_sparse(x);
  const auto sparse = fitted(data);
  EXPECT_EQ(dense.contents(), sparse.contents());
  EXPECT_EQ(dense.scores(x), sparse.scores(data.x));
}

TEST_P(EveryMethodWithGaussianFeatures, ScoresTheSameAfterAFile) {
  const auto data = some_data();
  const auto model = fitted(data);
  const auto again = Model::from_bytes(model.to_bytes(), "a file");
  EXPECT_EQ(again.contents(), model.contents());
  EXPECT_EQ(again.scores(data.x), model.scores(data.x));
}

TEST_P(EveryMethodWithGaussianFeatures, DrawsCentresByItsSeed) {
  auto other = kGaussian;
  other["seed"] = "2";
  const auto centres = [&](const OptionValues& values) {
    return fitted(some_data(), values).contents().representation.gaussian.centres;
  };
  EXPECT_EQ(centres(kGaussian), centres(kGaussian));
  EXPECT_NE(centres(kGaussian), centres(other));
}

TEST_P(EveryMethodWithGaussianFeatures, RefusesOptionsOutOfRange) {
  const std::vector<std::pair<const char*, const char*>> wrong = {
      {"centres", "0"}, {"centres", "30001"}, {"width", "0"}, {"width", "inf"}};
  for (const auto& [name, text] : wrong) {
    auto values = kGaussian;
    values[name] = text;
    EXPECT_THROW(GetParam()->check(values), UsageError) << name << ' ' << text;
    EXPECT_THROW(fitted(some_data(), values), UsageError) << name << ' ' << text;
  }
}

TEST_P(EveryMethodWithGaussianFeatures, CanBeInterrupted) {
  int calls = 0;
  ProgressFunction impatient([&](double) { return ++calls < 3; });
  EXPECT_THROW(GetParam()->fit(some_data(), kGaussian, {1}, &impatient), InterruptedError);
}

TEST_P(EveryMethodWithGaussianFeatures, SharesNeverFallAndTheLastIsAll) {
  double last = 0;
  ProgressFunction patient([&](double share) {
    EXPECT_GE(share, last);
    last = share;
    return true;
  });
  GetParam()->fit(some_data(), kGaussian, {2}, &patient);
  EXPECT_EQ(last, 1);
}

TEST(GaussianFeatures, LetLinearTasksLearnWhatNoLinearModelCan) {
  const auto train = circle(1), test = circle(2);
  const auto right = [&](RepresentationKind kind) {
    BrOptions options{.rho = 0.001, .representation = kind};
    const auto scores = fit(train, options).scores(test.x);
    double count = 0;
    for (Index i = 0; i < test.rows(); ++i) {
      count += (scores(i, 0) > scores(i, 1)) == (test.y.row(i)[0] == 0) ? 1 : 0;
    }
    return count / static_cast<double>(test.rows());
  };
  EXPECT_LT(right(RepresentationKind::zscore), 0.75);
  EXPECT_GT(right(RepresentationKind::gaussian), 0.9);
}

TEST(GaussianFeatures, ArePrecisionOfTheWeightsApart) {
  const auto data = some_data();
  auto options = gaussian_options();
  options.tolerance = 1e-6;
  const auto single = fit(data, options).scores(data.x);
  options.precision = Precision::double_precision;
  const auto precise = fit(data, options).scores(data.x);
  for (Index k = 0; k < precise.size(); ++k) {
    EXPECT_NEAR(single.data()[k], precise.data()[k], 1e-4);
  }
}

TEST(GaussianFeatures, GiveAlongAPathTheModelsOfSingleFits) {
  const auto data = some_data();
  auto options = gaussian_options();
  options.precision = Precision::double_precision;
  options.tolerance = 1e-9;
  for (const auto similarity : {Similarity::cosine, Similarity::weights}) {
    options.similarity = similarity;
    const std::vector<double> rhos = {0.1, 0.01}, sigmas = {0, 0.2};
    int models = 0;
    fit_path(data, options, rhos, sigmas, [&](const MgdSetting& setting, const Model& model) {
      auto alone = options;
      alone.rho = setting.rho;
      alone.sigma = setting.sigma;
      const Model expected = fit(data, alone);
      EXPECT_EQ(model.contents().representation, expected.contents().representation);
      EXPECT_EQ(model.contents().options, expected.contents().options);
      const auto found = model.scores(data.x), scores = expected.scores(data.x);
      for (Index k = 0; k < scores.size(); ++k) {
        EXPECT_NEAR(found.data()[k], scores.data()[k], 1e-6);
      }
      ++models;
      return true;
    });
    EXPECT_EQ(models, 4);
  }
}

TEST(GaussianFeatures, HaveNoStartingModel) {
  const auto data = some_data();
  auto options = gaussian_options();
  const auto before = std::make_shared<const Model>(fit(data, options));
  const auto refused = ThrowsMessage<UsageError>(HasSubstr("cannot start from a model"));
  auto again = options;
  again.initial = before;
  EXPECT_THAT([&] { fit(data, again); }, refused);
  again.representation = RepresentationKind::zscore;
  EXPECT_THAT([&] { fit(data, again); }, refused);
  again.representation = RepresentationKind::gaussian;
  again.initial = std::make_shared<const Model>(fit(data));
  EXPECT_THAT([&] { fit(data, again); }, refused);
}

TEST(GaussianFeatures, AreCertified) {
  auto options = gaussian_options();
  const auto data = some_data();
  EXPECT_GT(certify(data, options).promise.safe_step, 0);
  for (const auto& check : check_promises(data, options, 20)) EXPECT_TRUE(check.kept) << check.what;
}

TEST(GaussianFeatures, PredictRealTargets) {
  const auto data = circle(3);
  RegressionData targets{.x = data.x, .y = Matrix<double>(300, 1), .feature_names = {"a", "b"}};
  for (Index i = 0; i < 300; ++i) {
    const auto row = data.x.dense().row(i);
    targets.y(i, 0) = row[0] * row[0] - std::cos(row[1]);
  }
  const auto error_of = [&](RepresentationKind kind) {
    RegressionOptions options{.rho = 1e-4, .representation = kind};
    const Model model = fit_regression(targets, options);
    EXPECT_EQ(model.contents().feature_names, targets.feature_names);
    const auto found = model.scores(targets.x);
    double squares = 0;
    for (Index i = 0; i < 300; ++i) squares += std::pow(found(i, 0) - targets.y(i, 0), 2);
    return squares / 300;
  };
  EXPECT_LT(error_of(RepresentationKind::gaussian), 0.05 * error_of(RepresentationKind::zscore));
  RegressionOptions again{.representation = RepresentationKind::gaussian};
  again.initial = std::make_shared<const Model>(fit_regression(targets));
  EXPECT_THAT([&] { fit_regression(targets, again); },
              ThrowsMessage<UsageError>(HasSubstr("cannot start from a model")));
}

TEST(GaussianFeatures, OfValuesTooSmallToStandardiseAreRefusedByName) {
  auto data = some_data();
  for (Index i = 0; i < data.rows(); ++i) data.x.dense()(i, 0) *= 1e-305;
  EXPECT_THAT([&] { fit(data, gaussian_options()); },
              ThrowsMessage<InputError>(HasSubstr("feature 'a' of random has values too small")));
}

}  // namespace
}  // namespace mugrad

// SPDX-License-Identifier: MIT
// Relations that are learned: from the weights of labels trained alone, or from what these predict.
#include "support/golden.h"
#include "support/random_problem.h"

#include <mugrad/core/error.h>
#include <mugrad/data/splits.h>
#include <mugrad/method/br.h>
#include <mugrad/method/certify.h>
#include <mugrad/method/mgd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <variant>

namespace mugrad {
namespace {

using ::testing::HasSubstr;
using testing::largest_difference;
using testing::random_problem;

MgdOptions exact(Similarity similarity) {
  return {.similarity = similarity,
          .tolerance = 1e-11,
          .precision = Precision::double_precision,
          .threads = {1}};
}

Dataset some_data() { return random_problem({.rows = 90, .features = 7, .labels = 8}, 5); }

Matrix<double> weights_of(const Model& model) {
  return std::get<Matrix<double>>(model.contents().weights);
}

Matrix<double> as_matrix(const CsrMatrix<double>& sparse) {
  Matrix<double> matrix(sparse.rows(), sparse.cols);
  for (Index i = 0; i < sparse.rows(); ++i) {
    for (Index j = 0; j < sparse.cols; ++j) matrix(i, j) = sparse.at(i, j);
  }
  return matrix;
}

/// The data of a recorded case; its first rows, or the last.
Dataset recorded_data(const nlohmann::json& given, bool is_train) {
  Dataset data;
  data.name = "recorded";
  const auto count = given.at("n_train").get<std::size_t>();
  nlohmann::json x = nlohmann::json::array(), y = x;
  for (std::size_t i = 0; i < given.at("X").size(); ++i) {
    if ((i < count) != is_train) continue;
    x.push_back(given.at("X")[i]);
    y.push_back(given.at("Y")[i]);
  }
  data.x = testing::csr_from(x);
  data.y = testing::binary_from(y);
  return data;
}

TEST(Recipe, AgreesWithTheRecordedValues) {
  const auto recorded = testing::golden("recipe.json");
  int compared = 0;
  for (const auto& given : recorded.at("cases")) {
    const auto train = recorded_data(given, true);
    auto options = exact(Similarity::weights);
    options.representation = RepresentationKind::tfidf;
    options.rho = given.at("rho");
    options.sigma_ratio = given.at("ratio").get<double>();
    options.neighbours = given.at("neighbours").get<Index>();
    const Model model = fit(train, options);

    const auto& representation = model.contents().representation;
    const auto idf = given.at("idf").get<std::vector<double>>();
    for (std::size_t k = 0; k < idf.size(); ++k) {
      EXPECT_NEAR(representation.term_weight[k], idf[k], 1e-12);
    }
    EXPECT_LT(largest_difference(as_matrix(model.contents().relations),
                                 testing::matrix_from(given.at("Mbar"))),
              1e-8);
    const auto w = testing::matrix_from(given.at("W"));
    const auto found = weights_of(model);
    for (Index t = 0; t < w.cols(); ++t) {
      EXPECT_NEAR(model.contents().intercepts[as_size(t)], w(0, t), 1e-8);
      for (Index k = 1; k < w.rows(); ++k) EXPECT_NEAR(found(k - 1, t), w(k, t), 1e-8);
    }
    EXPECT_LT(largest_difference(model.linear_scores(recorded_data(given, false).x),
                                 testing::matrix_from(given.at("scores_test"))),
              1e-8);
    ++compared;
  }
  EXPECT_EQ(compared, 3);
}

TEST(Recipe, LabelsAloneAreThoseRecorded) {
  const auto recorded = testing::golden("recipe.json");
  ASSERT_EQ(recorded.at("cases").size(), 3U);
  for (const auto& given : recorded.at("cases")) {
    auto options = exact(Similarity::weights);
    options.representation = RepresentationKind::tfidf;
    options.rho = given.at("rho");
    options.sigma = 0;
    const Model model = fit(recorded_data(given, true), options);
    const auto w = testing::matrix_from(given.at("alone"));
    const auto found = weights_of(model);
    for (Index t = 0; t < w.cols(); ++t) {
      EXPECT_NEAR(model.contents().intercepts[as_size(t)], w(0, t), 1e-8);
      for (Index k = 1; k < w.rows(); ++k) EXPECT_NEAR(found(k - 1, t), w(k, t), 1e-8);
    }
  }
}

TEST(LearnedRelations, WithoutTransferEveryLabelIsAlone) {
  const auto data = some_data();
  for (const auto similarity : {Similarity::weights, Similarity::predicted}) {
    auto options = exact(similarity);
    options.sigma = 0;
    const BrOptions alone{
        .tolerance = 1e-11, .precision = Precision::double_precision, .threads = {1}};
    EXPECT_EQ(weights_of(fit(data, options)), weights_of(fit(data, alone)));
  }
}

TEST(LearnedRelations, OfPredictionsAreTheCorrelationsOutOfFold) {
  const auto data = some_data();
  auto options = exact(Similarity::predicted);
  options.seed = 4;
  options.neighbours = 100;
  const auto found = fit(data, options).contents().relations;

  auto alone = options;
  alone.sigma = 0;
  Matrix<double> scores(data.rows(), data.labels());
  for (const auto& rows : k_fold_rows(data.rows(), 3, options.seed)) {
    const Split split = take(data, rows);
    const auto of_test = fit(split.train, alone).scores(split.test.x);
    for (std::size_t k = 0; k < rows.test.size(); ++k) {
      std::ranges::copy(of_test.row(as_index(k)), scores.row(rows.test[k]).begin());
    }
  }
  const auto n = static_cast<double>(data.rows());
  Matrix<double> positive(data.labels(), data.labels());
  for (Index i = 0; i < data.labels(); ++i) {
    for (Index j = 0; j < data.labels(); ++j) {
      double a = 0, b = 0, ab = 0, aa = 0, bb = 0;
      for (Index row = 0; row < data.rows(); ++row) {
        const double x = scores(row, i), y = scores(row, j);
        a += x, b += y, ab += x * y, aa += x * x, bb += y * y;
      }
      const double r = (ab - a * b / n) / std::sqrt((aa - a * a / n) * (bb - b * b / n));
      positive(i, j) = i == j ? 0 : std::max(0.0, r);
    }
  }
  for (Index i = 0; i < data.labels(); ++i) {
    const auto row = positive.row(i);
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    ASSERT_GT(sum, 0);
    for (Index j = 0; j < data.labels(); ++j) {
      // Scores are kept in single precision.
      EXPECT_NEAR(found.at(i, j), positive(i, j) / sum, 1e-5);
    }
  }
}

TEST(LearnedRelations, ARatioOfRhoIsTheStrengthItAmountsTo) {
  const auto data = some_data();
  auto ratio = exact(Similarity::weights);
  ratio.rho = 0.05;
  ratio.sigma_ratio = 3;
  auto absolute = exact(Similarity::weights);
  absolute.rho = 0.05;
  absolute.sigma = 3 * 0.05;
  const auto model = fit(data, ratio);
  EXPECT_EQ(weights_of(model), weights_of(fit(data, absolute)));
  EXPECT_EQ(model.contents().options.at("sigma-ratio"), "3");
  EXPECT_EQ(std::stod(model.contents().options.at("sigma")), absolute.sigma);
  EXPECT_EQ(model.contents().options.at("neighbours"), "10");
}

TEST(LearnedRelations, EveryModelOfAPathIsTheOneThatFitTrainsAlone) {
  const auto data = some_data();
  const std::vector<double> rhos = {0.3, 0.03, 0.1}, sigmas = {0, 0.3, 0.1};
  for (const auto similarity : {Similarity::weights, Similarity::predicted}) {
    int seen = 0;
    fit_path(data, exact(similarity), rhos, sigmas,
             [&](const MgdSetting& setting, const Model& model) {
               auto single = exact(similarity);
               single.rho = setting.rho;
               single.sigma = setting.sigma;
               const auto alone = fit(data, single);
               EXPECT_LT(largest_difference(weights_of(model), weights_of(alone)), 1e-7);
               EXPECT_LT(largest_difference(as_matrix(model.contents().relations),
                                            as_matrix(alone.contents().relations)),
                         1e-6);
               return ++seen > 0;
             });
    EXPECT_EQ(seen, 9);
  }
}

TEST(LearnedRelations, ThreadsChangeNoBit) {
  const auto data = random_problem({.rows = 60, .features = 9, .labels = 80}, 6);
  for (const auto similarity : {Similarity::weights, Similarity::predicted}) {
    MgdOptions options{.similarity = similarity, .threads = {1}};
    const auto one = fit(data, options).to_bytes();
    options.threads = {4};
    EXPECT_EQ(fit(data, options).to_bytes(), one);
  }
}

TEST(LearnedRelations, CountThePassesOfBothSolves) {
  const auto data = some_data();
  auto alone = exact(Similarity::weights);
  alone.sigma = 0;
  const auto first = fit(data, alone).contents().report.solve->effort;
  EXPECT_GT(fit(data, exact(Similarity::weights)).contents().report.solve->effort, first);
}

TEST(LearnedRelations, MeetTheGuaranteesOfTheSecondSolve) {
  auto options = exact(Similarity::weights);
  options.rho = 0.1;
  options.sigma_ratio = 1;
  const auto checks = check_promises(some_data(), options, 30);
  // The relations are symmetric before their rows are divided, hence reversible.
  const auto weighted =
      std::ranges::find(checks, "contraction per iteration, weighted sum", &PromiseCheck::what);
  ASSERT_NE(weighted, checks.end());
  for (const auto& check : checks) EXPECT_TRUE(check.kept) << check.what;
}

TEST(LearnedRelations, ReportProgressThatNeverFallsAndEndsAtOne) {
  double last = 0;
  ProgressFunction progress([&](double share) {
    EXPECT_GE(share, last);
    last = share;
    return true;
  });
  fit(some_data(), MgdOptions{.similarity = Similarity::predicted}, &progress);
  EXPECT_EQ(last, 1);
}

TEST(LearnedRelations, CanBeInterruptedAtEveryUpdate) {
  const auto data = some_data();
  const MgdOptions options{.similarity = Similarity::predicted, .threads = {1}};
  int updates = 0;
  ProgressFunction count([&](double) { return ++updates > 0; });
  fit(data, options, &count);
  for (const int at : {1, updates / 3, updates / 2, 2 * updates / 3, updates}) {
    int seen = 0;
    ProgressFunction stop([&](double) { return ++seen < at; });
    EXPECT_THROW(fit(data, options, &stop), InterruptedError) << at << " of " << updates;
  }
}

TEST(LearnedRelations, TakeUnknownLabelsAndWeightsOfExamples) {
  auto data = some_data();
  data.row_weights.assign(as_size(data.rows()), 1);
  data.row_weights[3] = 2;
  data.unknown.cols = data.labels();
  for (Index row = 0; row < data.rows(); ++row) {
    if (row == 5 && (data.y.row(row).empty() || data.y.row(row)[0] != 0)) {
      data.unknown.column.push_back(0);
    }
    data.unknown.end_row();
  }
  for (const auto similarity : {Similarity::weights, Similarity::predicted}) {
    EXPECT_EQ(fit(data, exact(similarity)).contents().report.solve->stop, "converged");
  }
}

TEST(LearnedRelations, ARatioAndOneStrengthPerLabelAreRefused) {
  auto options = exact(Similarity::weights);
  options.sigma_ratio = 1;
  options.sigma_per_label.assign(8, 0.1);
  try {
    fit(some_data(), options);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("cannot be given with a strength for each label"));
  }
}

}  // namespace
}  // namespace mugrad

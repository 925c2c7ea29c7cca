// SPDX-License-Identifier: MIT
#include "support/random_problem.h"

#include <mugrad/core/error.h>
#include <mugrad/method/mgd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <variant>
#include <vector>

namespace mugrad {
namespace {

using ::testing::HasSubstr;
using testing::random_problem;

const std::vector<double> kRhos = {0.03, 0.3, 0.1};
const std::vector<double> kSigmas = {0.2, 0, 0.05};

Dataset some_data() { return random_problem({.rows = 90, .features = 7, .labels = 6}, 11); }

MgdOptions exact() {
  return {.tolerance = 1e-9, .precision = Precision::double_precision, .threads = {1}};
}

double largest_difference(const Model& a, const Model& b) {
  const auto& left = std::get<Matrix<double>>(a.contents().weights).values();
  const auto& right = std::get<Matrix<double>>(b.contents().weights).values();
  double largest = 0;
  for (std::size_t k = 0; k < left.size(); ++k) {
    largest = std::max(largest, std::fabs(left[k] - right[k]));
  }
  for (std::size_t k = 0; k < a.contents().intercepts.size(); ++k) {
    largest = std::max(largest, std::fabs(a.contents().intercepts[k] - b.contents().intercepts[k]));
  }
  return largest;
}

struct Alone {
  MgdOptions options;
  const char* what;
};

class FitPathOf : public ::testing::TestWithParam<Alone> {};

TEST_P(FitPathOf, EveryModelIsTheOneThatFitTrainsAlone) {
  const auto data = some_data();
  const auto options = GetParam().options;
  std::vector<std::pair<double, double>> seen;
  fit_path(data, options, kRhos, kSigmas, [&](const MgdSetting& setting, const Model& model) {
    seen.emplace_back(setting.rho, setting.sigma);
    auto single = options;
    single.rho = setting.rho;
    single.sigma = setting.sigma;
    const auto alone = fit(data, single);
    EXPECT_EQ(model.contents().report.solve->stop, "converged");
    EXPECT_LE(largest_difference(model, alone), 1e-6) << setting.rho << ' ' << setting.sigma;
    EXPECT_EQ(model.contents().options, alone.contents().options);
    EXPECT_EQ(model.contents().relations, alone.contents().relations);
    EXPECT_NEAR(model.contents().report.solve->first_residual,
                alone.contents().report.solve->first_residual, 1e-12);
    EXPECT_NEAR(model.contents().report.solve->minimised, alone.contents().report.solve->minimised,
                1e-7);
    return true;
  });
  using Pairs = std::vector<std::pair<double, double>>;
  EXPECT_EQ(seen, (Pairs{{0.3, 0},
                         {0.3, 0.05},
                         {0.3, 0.2},
                         {0.1, 0.2},
                         {0.1, 0.05},
                         {0.1, 0},
                         {0.03, 0},
                         {0.03, 0.05},
                         {0.03, 0.2}}));
}

MgdOptions with(void (*change)(MgdOptions&)) {
  auto options = exact();
  change(options);
  return options;
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, FitPathOf,
    ::testing::Values(Alone{exact(), "Default"},
                      Alone{with([](MgdOptions& o) { o.transfer_intercept = true; }),
                            "TransferredIntercepts"},
                      Alone{with([](MgdOptions& o) { o.loss = LossKind::squared; }), "SquaredLoss"},
                      Alone{with([](MgdOptions& o) { o.neighbours = 2; }), "NotReversible"},
                      Alone{with([](MgdOptions& o) { o.start = Start::random; }), "RandomStart"}),
    [](const auto& tested) { return tested.param.what; });

TEST(FitPath, TakesFewerPassesThanOneByOne) {
  const auto data = some_data();
  Index along = 0;
  Index alone = 0;
  fit_path(data, exact(), kRhos, kSigmas, [&](const MgdSetting& setting, const Model& model) {
    along += model.contents().report.solve->effort;
    auto single = exact();
    single.rho = setting.rho;
    single.sigma = setting.sigma;
    alone += fit(data, single).contents().report.solve->effort;
    return true;
  });
  EXPECT_LT(along, alone);
}

TEST(FitPath, EndsWhenTheVisitorHasSeenEnough) {
  int seen = 0;
  fit_path(some_data(), exact(), kRhos, kSigmas,
           [&](const MgdSetting&, const Model&) { return ++seen < 2; });
  EXPECT_EQ(seen, 2);
}

TEST(FitPath, DataWithoutALabelToTrainGivesConstantModels) {
  auto data = some_data();
  data.y = BinaryMatrix{.cols = 2, .row_start = std::vector<Index>(91, 0), .column = {}};
  data.label_names = {"a", "b"};
  int seen = 0;
  fit_path(data, exact(), kRhos, kSigmas, [&](const MgdSetting&, const Model& model) {
    EXPECT_EQ(model.contents().report.constant_labels.size(), 2U);
    ++seen;
    return true;
  });
  EXPECT_EQ(seen, 9);
}

TEST(FitPath, RefusesAGridThatIsEmptyOrOutOfRange) {
  const auto data = some_data();
  const auto message = [&](const MgdOptions& options, const std::vector<double>& rhos,
                           const std::vector<double>& sigmas) -> std::string {
    try {
      fit_path(data, options, rhos, sigmas, [](const MgdSetting&, const Model&) { return true; });
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(message(exact(), {}, {0.1}), HasSubstr("needs at least one rho"));
  EXPECT_THAT(message(exact(), {0.1, -1}, {0.1}), HasSubstr("rho must be >= 0, got -1"));
  EXPECT_THAT(message(exact(), {0.1}, {std::nan("")}), HasSubstr("sigma must be >= 0, got nan"));
  auto options = exact();
  options.sigma_per_label.assign(6, 0.1);
  EXPECT_THAT(message(options, {0.1}, {0.1}), HasSubstr("one sigma for all labels"));
}

}  // namespace
}  // namespace mugrad

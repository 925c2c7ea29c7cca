// SPDX-License-Identifier: MIT
// What trial runs by another program showed on the public sets.
#include "support/public_sets.h"

#include <mugrad/data/catalog.h>
#include <mugrad/method/certify.h>
#include <mugrad/method/mgd.h>

#include <gtest/gtest.h>

#include <map>

namespace mugrad {
namespace {

using testing::public_set;

/// Metrics of MGD averaged over random 80/20 splits.
std::map<std::string, double> mean_metrics(const Dataset& data, const MgdOptions& options,
                                           int splits) {
  return testing::mean_metrics(data, splits,
                               [&](const Dataset& train) { return fit(train, options); });
}

void expect_within(double value, double low, double high, std::string_view what) {
  EXPECT_GE(value, low) << what;
  EXPECT_LE(value, high) << what;
}

TEST(PublishedSets, PaperPresetReachesTheKnownMetricsOnEmotions) {
  const auto data = public_set("emotions");
  if (!data) GTEST_SKIP() << "emotions is not on this machine: set MUGRAD_DATA or fetch it";
  const auto mean =
      mean_metrics(*data, with_paper_preset({.rho = 0.1, .sigma = 0.1, .threshold = 0.3}), 10);
  expect_within(mean.at("average-precision"), 0.80, 0.825, "average-precision");
  expect_within(mean.at("macro-f1"), 0.655, 0.69, "macro-f1");
  expect_within(mean.at("micro-f1"), 0.665, 0.695, "micro-f1");
  expect_within(mean.at("coverage"), 0.28, 0.30, "coverage");
  expect_within(mean.at("ranking-loss"), 0.14, 0.16, "ranking-loss");
}

TEST(PublishedSets, LabelsAloneReachTheKnownMetricsOnBibtex) {
  const auto data = public_set("bibtex");
  if (!data) GTEST_SKIP() << "bibtex is not on this machine: set MUGRAD_DATA or fetch it";
  const auto mean = mean_metrics(*data, {.rho = 0.1, .sigma = 0}, 1);
  expect_within(mean.at("average-precision"), 0.59, 0.615, "average-precision");
  expect_within(mean.at("coverage"), 0.10, 0.11, "coverage");
}

TEST(PublishedSets, NoContractionIsSlowerThanPromised) {
  for (const auto& entry : catalog()) {
    const auto data = public_set(entry.name);
    if (!data) GTEST_SKIP() << entry.name << " is not on this machine: set MUGRAD_DATA or fetch it";
    for (const auto loss : {LossKind::logistic, LossKind::squared}) {
      const auto checks = check_promises(*data, {.loss = loss, .sigma = 0.3}, 10);
      ASSERT_FALSE(checks.empty());
      for (const auto& check : checks) {
        EXPECT_TRUE(check.kept) << entry.name << ": " << check.what << ' ' << check.observed;
      }
      // A squared loss has a rate; a logistic one with a free intercept has none.
      EXPECT_EQ(checks[0].promised < 1, loss == LossKind::squared) << entry.name;
    }
  }
}

}  // namespace
}  // namespace mugrad

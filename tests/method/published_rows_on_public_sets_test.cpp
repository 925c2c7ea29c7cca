// SPDX-License-Identifier: MIT
// Rows of the published table that the methods' parity switches reproduce: means over five random
// splits, which another five move by some 0.01.
#include "support/public_sets.h"

#include <mugrad/method/br.h>
#include <mugrad/method/lift.h>
#include <mugrad/method/llsf_dl.h>

#include <gtest/gtest.h>

#include <array>

namespace mugrad {
namespace {

constexpr std::array<const char*, 5> kMetrics = {"average-precision", "macro-f1", "micro-f1",
                                                 "coverage", "ranking-loss"};
using Row = std::array<double, 5>;

/// Skips the test where the set is not on this machine.
template <typename Options>
void expect_row(std::string_view set, const Options& options, const Row& published,
                double tolerance) {
  const auto data = testing::public_set(set);
  if (!data) GTEST_SKIP() << set << " is not on this machine: set MUGRAD_DATA or fetch it";
  const auto found =
      testing::mean_metrics(*data, 5, [&](const Dataset& train) { return fit(train, options); });
  for (std::size_t k = 0; k < kMetrics.size(); ++k) {
    EXPECT_NEAR(found.at(kMetrics[k]), published[k], tolerance) << set << ' ' << kMetrics[k];
  }
}

TEST(PublishedSets, BrWithWekasRidgeIsThePublishedOneOnEmotions) {
  expect_row("emotions", BrOptions{.weka_ridge = true}, {0.783, 0.619, 0.632, 0.314, 0.180}, 0.02);
}

TEST(PublishedSets, BrWithWekasRidgeIsThePublishedOneOnCal500) {
  expect_row("cal500", BrOptions{.weka_ridge = true}, {0.323, 0.155, 0.331, 0.803, 0.243}, 0.02);
}

TEST(PublishedSets, LlsfDlWithTheAuthorsParametersIsThePublishedOneOnCal500) {
  expect_row(
      "cal500",
      LlsfDlOptions{
          .relation = 1024, .sparsity = 256, .label_sparsity = 64, .ridge = 10, .parity = true},
      {0.470, 0.143, 0.459, 0.733, 0.198}, 0.02);
}

TEST(PublishedSets, LiftOnUnscaledFeaturesIsThePublishedOneOnEmotions) {
  expect_row("emotions", LiftOptions{.representation = RepresentationKind::none},
             {0.734, 0.432, 0.506, 0.358, 0.233}, 0.03);
}

TEST(PublishedSets, LiftIsFarBetterOnEmotionsZScored) {
  const auto data = testing::public_set("emotions");
  if (!data) GTEST_SKIP() << "emotions is not on this machine: set MUGRAD_DATA or fetch it";
  const auto found = testing::mean_metrics(
      *data, 5, [](const Dataset& train) { return fit(train, LiftOptions{}); });
  EXPECT_NEAR(found.at("average-precision"), 0.82, 0.02);
}

}  // namespace
}  // namespace mugrad

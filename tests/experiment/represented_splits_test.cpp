// SPDX-License-Identifier: MIT
#include "experiment/represented_splits.h"

#include "support/random_problem.h"

#include <mugrad/core/error.h>
#include <mugrad/model/scorer.h>

#include <gtest/gtest.h>

#include <string>

namespace mugrad {
namespace {

Split some_split(std::uint64_t seed = 1) {
  return {.train = testing::random_problem({.rows = 200, .features = 7, .labels = 3}, seed),
          .test = testing::random_problem({.rows = 90, .features = 7, .labels = 3}, seed + 1)};
}

Matrix<double> scores_of(const Model& model, const Dataset& data) {
  Matrix<double> scores(data.rows(), data.labels());
  Scorer(model).scores(data.x, 0, data.rows(), scores);
  return scores;
}

OptionValues gaussian(OptionValues more = {}) {
  more.insert({{"representation", "gaussian"}, {"centres", "150"}});
  return more;
}

RepresentedSplits::Represented found(RepresentedSplits& splits, std::size_t number,
                                     const Split& split,
                                     const std::vector<OptionValues>& settings) {
  return splits.find(number, split, method_named("mgd"), settings, Threads{2}, nullptr);
}

TEST(RepresentedSplits, KeepEveryBitOfTheScores) {
  const Split split = some_split();
  // A linear head, one of chains, one of distances to centres, and one of training rows; with
  // centres that are some of the rows, and all of them.
  for (const std::string centres : {"150", "1500"}) {
    for (const char* const name : {"mgd", "ecc", "lift", "mlknn"}) {
      const Method& method = method_named(name);
      OptionValues values = gaussian();
      values["centres"] = centres;
      RepresentedSplits splits;
      const auto represented = splits.find(0, split, method, {values}, Threads{2}, nullptr);
      ASSERT_NE(represented.split, nullptr) << name;
      const Model shared =
          method.fit(represented.split->train, represented.settings[0], Threads{1}, nullptr);
      const Model alone = method.fit(split.train, values, Threads{1}, nullptr);
      EXPECT_EQ(scores_of(shared, represented.split->test), scores_of(alone, split.test)) << name;
    }
  }
}

TEST(RepresentedSplits, AreSharedByEqualFeaturesOfOneSplitOnly) {
  RepresentedSplits splits;
  const Split one = some_split(), other = some_split(5);
  const auto first = found(splits, 0, one, {gaussian()}).split;
  EXPECT_EQ(found(splits, 0, one, {gaussian({{"rho", "0.5"}}), gaussian()}).split, first);
  for (const auto& values : {gaussian({{"width", "0.3"}}), gaussian({{"seed", "2"}}),
                             gaussian({{"precision", "double"}})}) {
    EXPECT_NE(found(splits, 0, one, {values}).split, first);
  }
  const auto second = found(splits, 1, other, {gaussian()}).split;
  EXPECT_EQ(second->test.y, other.test.y);
  EXPECT_EQ(found(splits, 1, other, {gaussian()}).split, second);
}

TEST(RepresentedSplits, LeaveOtherSettingsAlone) {
  RepresentedSplits splits;
  const Split split = some_split();
  EXPECT_EQ(found(splits, 0, split, {{}}).split, nullptr);
  EXPECT_EQ(found(splits, 0, split, {gaussian(), {}}).split, nullptr);
  EXPECT_EQ(found(splits, 0, split, {gaussian(), gaussian({{"width", "2"}})}).split, nullptr);
}

TEST(RepresentedSplits, RefuseWhatTrainingRefuses) {
  RepresentedSplits splits;
  Split split = some_split();
  split.train = take(split.train, {.train = {}, .test = {}}).train;
  EXPECT_THROW(found(splits, 0, split, {gaussian()}), InputError);
  EXPECT_THROW(method_named("mgd").fit(split.train, gaussian(), Threads{1}, nullptr), InputError);
}

}  // namespace
}  // namespace mugrad

// SPDX-License-Identifier: MIT
// How many inner folds decide thresholds and calibrations beside a single training.
#include <mugrad/data/generator.h>
#include <mugrad/experiment/tune.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mugrad {
namespace {

using ::testing::ElementsAre;

Index splits_for(Index rows, Index folds, ThresholdRule rule = ThresholdRule::one,
                 Index enough = 5000) {
  return splits_to_decide(rows,
                          {.inner = {.folds = folds, .enough_rows = enough}, .thresholds = rule});
}

TEST(DecidingFolds, EndOnceEnoughRowsAreHeldOut) {
  EXPECT_EQ(splits_for(100, 3), 3);
  EXPECT_EQ(splits_for(7499, 3), 3);  // 2,499 rows in the smallest fold
  EXPECT_EQ(splits_for(7500, 3), 2);
  EXPECT_EQ(splits_for(14'999, 3), 2);
  EXPECT_EQ(splits_for(15'000, 3), 1);
  EXPECT_EQ(splits_for(1'000'000, 3), 1);
  EXPECT_EQ(splits_for(1'000'000, 3, ThresholdRule::cardinality), 1);
  EXPECT_EQ(splits_for(10'000, 10), 5);
}

TEST(DecidingFolds, AreAllUsedForThresholdsOfSingleLabelsAndOnRequest) {
  EXPECT_EQ(splits_for(1'000'000, 3, ThresholdRule::per_label), 3);
  EXPECT_EQ(splits_for(1'000'000, 3, ThresholdRule::one, 0), 3);
  EXPECT_EQ(splits_for(2, 10), 10);  // folds without rows
  EXPECT_EQ(splits_for(1'000'000, 1), 1);
}

TEST(DecidingFolds, AreTheShareOfTheWorkThatTheirRowsAre) {
  const auto share = [](Index rows, Index folds) {
    return share_of_deciding(
        rows, {.inner = {.folds = folds, .train = 0.8}, .thresholds = ThresholdRule::one});
  };
  EXPECT_DOUBLE_EQ(share(300, 3), 2. / 3);     // three folds on two thirds beside the whole
  EXPECT_DOUBLE_EQ(share(30'000, 3), 2. / 5);  // one fold
  EXPECT_DOUBLE_EQ(share(300, 1), 0.8 / 1.8);  // a single split
}

/// BR, which notes how many rows it is trained on.
class NotedTraining final : public Method {
 public:
  std::string_view name() const override { return br_.name(); }
  std::string_view summary() const override { return br_.summary(); }
  const MethodTraits& traits() const override { return br_.traits(); }
  std::vector<OptionInfo> options() const override { return br_.options(); }
  void check(const OptionValues& values) const override { br_.check(values); }
  MemoryNeed memory(const DataShape& shape, const OptionValues& values,
                    Threads threads) const override {
    return br_.memory(shape, values, threads);
  }
  Model fit(const Dataset& data, const OptionValues& values, const TrainingExtras& extras,
            Threads threads, Progress* progress) const override {
    rows.push_back(data.rows());
    return br_.fit(data, values, extras, threads, progress);
  }

  mutable std::vector<Index> rows = {};

 private:
  const Method& br_ = method_named("br");
};

TEST(DecidingFolds, AreTheOnlyOnesTrainedOn) {
  const auto data = generate({.rows = 300, .features = 5, .labels = 3, .cardinality = 1}).data;
  const auto trained_on = [&](ThresholdRule rule, Index enough) {
    const NotedTraining method;
    fit_by_inner_folds(data, method, {}, {},
                       {.inner = {.enough_rows = enough}, .calibrate = true, .thresholds = rule});
    return method.rows;
  };
  EXPECT_THAT(trained_on(ThresholdRule::one, 100), ElementsAre(300, 200));
  EXPECT_THAT(trained_on(ThresholdRule::one, 101), ElementsAre(300, 200, 200));
  EXPECT_THAT(trained_on(ThresholdRule::one, 5000), ElementsAre(300, 200, 200, 200));
  EXPECT_THAT(trained_on(ThresholdRule::per_label, 100), ElementsAre(300, 200, 200, 200));
}

TEST(DecidingFolds, OfManyRowsChooseNearlyTheThresholdOfAllFolds) {
  const auto data = generate({.rows = 12'000, .features = 8, .labels = 5, .cardinality = 1}).data;
  const Method& br = method_named("br");
  const auto threshold = [&](Index enough) {
    const auto model =
        fit_by_inner_folds(data, br, {{"rho", "0.1"}}, {},
                           {.inner = {.enough_rows = enough}, .thresholds = ThresholdRule::one});
    return model.contents().thresholds.front();
  };
  const double of_all = threshold(0);
  EXPECT_NE(of_all, 0.5) << "the data should not suit the usual threshold";
  EXPECT_NEAR(threshold(4000), of_all, 0.05);
}

}  // namespace
}  // namespace mugrad

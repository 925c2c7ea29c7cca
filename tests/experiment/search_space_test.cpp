// SPDX-License-Identifier: MIT
#include <mugrad/core/error.h>
#include <mugrad/experiment/search_space.h>
#include <mugrad/method/method.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace mugrad {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(SearchSpace, ListsAreTriedRangesAreDrawnAndTheRestIsFixed) {
  const auto search =
      search_of({}, {{"rho", "0.1,1"}, {"sigma", "0.01..10"}, {"transfer", "pearson"}});
  ASSERT_EQ(search.space.size(), 2);
  EXPECT_EQ(search.space[0].option, "rho");
  EXPECT_THAT(search.space[0].values, ElementsAre("0.1", "1"));
  EXPECT_TRUE(search.space[1].values.empty());
  EXPECT_EQ(search.space[1].low, 0.01);
  EXPECT_EQ(search.space[1].high, 10);
  EXPECT_EQ(search.fixed, (OptionValues{{"transfer", "pearson"}}));
}

TEST(SearchSpace, AllSettingsAreEveryCombinationOnce) {
  const auto settings = all_settings(search_of({}, {{"a", "1,2,3"}, {"b", "x,y"}, {"c", "0"}}));
  ASSERT_EQ(settings.size(), 6);
  EXPECT_EQ(settings[0], (OptionValues{{"a", "1"}, {"b", "x"}, {"c", "0"}}));
  EXPECT_EQ(settings[1], (OptionValues{{"a", "1"}, {"b", "y"}, {"c", "0"}}));
  EXPECT_EQ(settings[5], (OptionValues{{"a", "3"}, {"b", "y"}, {"c", "0"}}));
  EXPECT_EQ(std::set<OptionValues>(settings.begin(), settings.end()).size(), 6);
}

TEST(SearchSpace, NothingToSearchIsOneSetting) {
  EXPECT_THAT(all_settings(search_of({}, {{"rho", "1"}}, false)),
              ElementsAre(OptionValues{{"rho", "1"}}));
}

TEST(SearchSpace, DrawnSettingsAreDifferentWithinTheirRangesAndTheSameForASeed) {
  const auto search = search_of({}, {{"a", "1,2,3,4"}, {"b", "0.001..10"}});
  const auto settings = drawn_settings(search, 50, 3);
  EXPECT_EQ(settings, drawn_settings(search, 50, 3));
  EXPECT_NE(settings, drawn_settings(search, 50, 4));
  EXPECT_EQ(std::set<OptionValues>(settings.begin(), settings.end()).size(), 50);
  Index small = 0;
  for (const auto& setting : settings) {
    const double b = std::stod(setting.at("b"));
    EXPECT_GE(b, 0.001);
    EXPECT_LE(b, 10);
    small += b < 0.1;
  }
  // Even in logarithms: half of them below the middle of the decades.
  EXPECT_GT(small, 15);
  EXPECT_LT(small, 35);
}

TEST(SearchSpace, NoMoreAreDrawnThanThereAre) {
  EXPECT_EQ(drawn_settings(search_of({}, {{"a", "1,2"}, {"b", "1,2"}}), 100, 1).size(), 4);
}

TEST(SearchSpace, DrawingEndsWhereThereIsHardlyAnythingToDraw) {
  const auto narrow = drawn_settings(search_of({}, {{"a", "1..1.0001"}}), 5, 1);
  EXPECT_GE(narrow.size(), 1);
  EXPECT_LE(narrow.size(), 5);
  for (const auto& setting : narrow) {
    EXPECT_GE(std::stod(setting.at("a")), 1);
    EXPECT_LE(std::stod(setting.at("a")), 1.0001);
  }
  EXPECT_EQ(drawn_settings(search_of({}, {{"a", "1,1,1"}}), 2, 1).size(), 1);
}

TEST(SearchSpace, WhatIsFixedIsLeftOutOfTheUsualSearch) {
  const auto search = search_of(method_named("mgd").traits(), {{"rho", "0.1"}});
  EXPECT_FALSE(search.space.empty());
  for (const auto& dimension : search.space) EXPECT_NE(dimension.option, "rho");
  EXPECT_EQ(search.fixed.at("rho"), "0.1");
}

TEST(SearchSpace, WhatIsListedIsAllThatIsSearched) {
  EXPECT_EQ(search_of(method_named("mgd").traits(), {{"rho", "0.1,1"}}).space.size(), 1);
}

TEST(SearchSpace, TrialsAreSolvedMoreLooselyUnlessThatIsGiven) {
  EXPECT_EQ(search_of(method_named("mgd").traits(), {}).trial_only,
            (OptionValues{{"tolerance", "0.001"}}));
  EXPECT_TRUE(search_of(method_named("mgd").traits(), {{"tolerance", "1e-6"}}).trial_only.empty());
  EXPECT_TRUE(search_of(method_named("mgd").traits(), {{"solver", "plain"}}).trial_only.empty());
  EXPECT_TRUE(search_of(method_named("llsf").traits(), {}).trial_only.empty());
}

TEST(SearchSpace, EveryMethodTakesWhatIsUsuallyTriedOfIt) {
  for (const Method* const method : methods()) {
    const auto settings = all_settings(search_of(method->traits(), {}));
    EXPECT_GE(settings.size(), 2) << method->name();
    for (const auto& setting : settings) EXPECT_NO_THROW(method->check(setting)) << method->name();
  }
}

TEST(SearchSpace, MistakesAreNamed) {
  EXPECT_THAT(
      [] {
        search_of({}, {{"rho", "0.1,,1"}});
      },
      ThrowsMessage<UsageError>(HasSubstr("rho: a value of the list is empty")));
  EXPECT_THAT(
      [] {
        search_of({}, {{"rho", "0..1"}});
      },
      ThrowsMessage<UsageError>(HasSubstr("must be positive numbers, got '0'")));
  EXPECT_THAT(
      [] {
        search_of({}, {{"rho", "2..1"}});
      },
      ThrowsMessage<UsageError>(HasSubstr("from the smaller number up, got 2..1")));
  EXPECT_THAT(
      [] {
        all_settings(search_of({}, {{"rho", "1..2"}}));
      },
      ThrowsMessage<UsageError>(HasSubstr("say how many settings to draw")));
  EXPECT_THAT([] { drawn_settings({}, 0, 1); },
              ThrowsMessage<UsageError>(HasSubstr("at least one setting must be drawn, got 0")));
}

}  // namespace
}  // namespace mugrad

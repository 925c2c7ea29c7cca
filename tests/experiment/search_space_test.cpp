// SPDX-License-Identifier: MIT
#include <mugrad/core/error.h>
#include <mugrad/experiment/tune.h>
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

/// The settings of the only stage.
std::vector<OptionValues> all_of(const Search& search) {
  return all_settings(search.stages.empty() ? SearchStage{} : search.stages.at(0), search.fixed);
}
std::vector<OptionValues> drawn_of(const Search& search, Index count, std::uint64_t seed) {
  return drawn_settings(search.stages.at(0), search.fixed, count, seed);
}

TEST(SearchSpace, ListsAreTriedRangesAreDrawnAndTheRestIsFixed) {
  const auto search =
      search_of({}, {{"rho", "0.1,1"}, {"sigma", "0.01..10"}, {"transfer", "pearson"}});
  ASSERT_EQ(search.stages.size(), 1);
  EXPECT_FALSE(search.is_usual);
  const auto& space = search.stages[0].space;
  ASSERT_EQ(space.size(), 2);
  EXPECT_EQ(space[0].option, "rho");
  EXPECT_THAT(space[0].values, ElementsAre("0.1", "1"));
  EXPECT_TRUE(space[1].values.empty());
  EXPECT_EQ(space[1].low, 0.01);
  EXPECT_EQ(space[1].high, 10);
  EXPECT_EQ(search.fixed, (OptionValues{{"transfer", "pearson"}}));
}

TEST(SearchSpace, AllSettingsAreEveryCombinationOnce) {
  const auto settings = all_of(search_of({}, {{"a", "1,2,3"}, {"b", "x,y"}, {"c", "0"}}));
  ASSERT_EQ(settings.size(), 6);
  EXPECT_EQ(settings[0], (OptionValues{{"a", "1"}, {"b", "x"}, {"c", "0"}}));
  EXPECT_EQ(settings[1], (OptionValues{{"a", "1"}, {"b", "y"}, {"c", "0"}}));
  EXPECT_EQ(settings[5], (OptionValues{{"a", "3"}, {"b", "y"}, {"c", "0"}}));
  EXPECT_EQ(std::set<OptionValues>(settings.begin(), settings.end()).size(), 6);
}

TEST(SearchSpace, NothingToSearchIsOneSetting) {
  EXPECT_THAT(all_of(search_of({}, {{"rho", "1"}}, false)),
              ElementsAre(OptionValues{{"rho", "1"}}));
}

TEST(SearchSpace, DrawnSettingsAreDifferentWithinTheirRangesAndTheSameForASeed) {
  const auto search = search_of({}, {{"a", "1,2,3,4"}, {"b", "0.001..10"}});
  const auto settings = drawn_of(search, 50, 3);
  EXPECT_EQ(settings, drawn_of(search, 50, 3));
  EXPECT_NE(settings, drawn_of(search, 50, 4));
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
  EXPECT_EQ(drawn_of(search_of({}, {{"a", "1,2"}, {"b", "1,2"}}), 100, 1).size(), 4);
}

TEST(SearchSpace, DrawingEndsWhereThereIsHardlyAnythingToDraw) {
  const auto narrow = drawn_of(search_of({}, {{"a", "1..1.0001"}}), 5, 1);
  EXPECT_GE(narrow.size(), 1);
  EXPECT_LE(narrow.size(), 5);
  for (const auto& setting : narrow) {
    EXPECT_GE(std::stod(setting.at("a")), 1);
    EXPECT_LE(std::stod(setting.at("a")), 1.0001);
  }
  EXPECT_EQ(drawn_of(search_of({}, {{"a", "1,1,1"}}), 2, 1).size(), 1);
}

TEST(SearchSpace, AlternativesAreCombinedWithTheSpace) {
  const SearchStage stage{.fixed = {{"c", "0"}},
                          .alternatives = {{{"a", "1"}}, {{"a", "2"}, {"w", "9"}}},
                          .space = {{"b", {"x", "y"}}}};
  EXPECT_THAT(
      all_settings(stage, {{"d", "7"}}),
      ElementsAre(OptionValues{{"a", "1"}, {"b", "x"}, {"c", "0"}, {"d", "7"}},
                  OptionValues{{"a", "1"}, {"b", "y"}, {"c", "0"}, {"d", "7"}},
                  OptionValues{{"a", "2"}, {"b", "x"}, {"c", "0"}, {"d", "7"}, {"w", "9"}},
                  OptionValues{{"a", "2"}, {"b", "y"}, {"c", "0"}, {"d", "7"}, {"w", "9"}}));
  const auto drawn = drawn_settings(stage, {{"d", "7"}}, 3, 5);
  EXPECT_EQ(std::set<OptionValues>(drawn.begin(), drawn.end()).size(), 3);
  const auto all = all_settings(stage, {{"d", "7"}});
  for (const auto& setting : drawn) EXPECT_EQ(std::ranges::count(all, setting), 1);
}

TEST(SearchSpace, OptionsInWhichSettingsDifferAreNamedOnce) {
  const Search search{.stages = {{.fixed = {{"q", "0"}}, .alternatives = {{{"a", "1"}}}},
                                 {.fixed = {{"t", "w"}}, .space = {{"b", {"x"}}, {"q", {"1"}}}}},
                      .fixed = {{"d", "7"}}};
  EXPECT_THAT(searched_options(search), ElementsAre("a", "b", "q", "t"));
}

TEST(SearchSpace, WhatIsFixedIsLeftOutOfTheUsualSearch) {
  const auto& mgd = method_named("mgd").traits();
  for (const auto& [option, value] : OptionValues{{"rho", "0.1"},
                                                  {"representation", "zscore"},
                                                  {"transfer", "cosine"},
                                                  {"sigma-ratio", "1"}}) {
    const auto search = search_of(mgd, {{option, value}});
    EXPECT_TRUE(search.is_usual);
    EXPECT_EQ(search.stages.size(), 2);
    EXPECT_EQ(std::ranges::count(searched_options(search), option), 0) << option;
    EXPECT_EQ(search.fixed.at(option), value);
  }
}

TEST(SearchSpace, AGivenStrengthOfTransferIsNotReplacedByAMultipleOfRho) {
  const auto search = search_of(method_named("mgd").traits(), {{"sigma", "0.1"}});
  EXPECT_EQ(std::ranges::count(searched_options(search), "sigma-ratio"), 0);
}

TEST(SearchSpace, AlternativesFollowWhatIsGiven) {
  const auto left = [](const OptionValues& given) {
    return search_of(method_named("br").traits(), given).stages.at(0).alternatives;
  };
  EXPECT_THAT(left({{"representation", "tfidf"}}), ::testing::IsEmpty());
  EXPECT_THAT(left({{"representation", "gaussian"}}),
              ElementsAre(OptionValues{{"width", "1"}}, OptionValues{{"width", "0.3"}}));
  EXPECT_THAT(left({{"representation", "zscore"}}),
              ElementsAre(OptionValues{{"text-weight", "1"}}, OptionValues{{"text-weight", "0.2"}},
                          OptionValues{{"text-weight", "5"}}));
  EXPECT_THAT(left({{"width", "0.5"}, {"text-weight", "2"}}),
              ElementsAre(OptionValues{{"representation", "zscore"}},
                          OptionValues{{"representation", "none"}},
                          OptionValues{{"representation", "unit"}},
                          OptionValues{{"representation", "tfidf"}},
                          OptionValues{{"representation", "gaussian"}}));
}

TEST(SearchSpace, AStageWithNothingLeftIsNotTried) {
  const OptionValues given{{"rho", "0.1"}, {"sigma", "0.1"}};
  EXPECT_EQ(search_of(method_named("mgd").traits(), given).stages.size(), 1);
}

TEST(SearchSpace, WhatIsListedIsAllThatIsSearched) {
  const auto search = search_of(method_named("mgd").traits(), {{"rho", "0.1,1"}});
  EXPECT_FALSE(search.is_usual);
  EXPECT_THAT(searched_options(search), ElementsAre("rho"));
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
    const auto search = search_of(method->traits(), {});
    ASSERT_FALSE(search.stages.empty()) << method->name();
    for (const auto& stage : search.stages) {
      const auto settings = all_settings(stage, search.fixed);
      EXPECT_GE(settings.size(), 2) << method->name();
      for (const auto& setting : settings) {
        EXPECT_NO_THROW(method->check(setting)) << method->name();
      }
    }
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
      ThrowsMessage<UsageError>(HasSubstr("must begin with the smaller number, got 2..1")));
  EXPECT_THAT(
      [] {
        all_of(search_of({}, {{"rho", "1..2"}}));
      },
      ThrowsMessage<UsageError>(HasSubstr("set how many settings to draw")));
  EXPECT_THAT([] { drawn_settings({}, {}, 0, 1); },
              ThrowsMessage<UsageError>(HasSubstr("at least one setting must be drawn, got 0")));
}

}  // namespace
}  // namespace mugrad

// SPDX-License-Identifier: MIT
#include "method/common/option_list.h"
#include "support/random_problem.h"

#include <mugrad/core/error.h>
#include <mugrad/method/br.h>
#include <mugrad/method/method.h>
#include <mugrad/method/mgd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace mugrad {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(Methods, AllHaveANameOfTheirOwnASummaryAndOptionsWithDefaultsOfTheirOwn) {
  std::set<std::string_view> names;
  for (const Method* const method : methods()) {
    EXPECT_TRUE(names.insert(method->name()).second) << method->name();
    EXPECT_FALSE(method->summary().empty());
    EXPECT_EQ(&method_named(method->name()), method);
    for (const auto& info : method->options()) {
      EXPECT_FALSE(info.help.empty()) << info.name;
      if (info.choices.empty()) continue;
      EXPECT_THAT(info.choices, ::testing::Contains(info.initial)) << info.name;
    }
  }
  EXPECT_THAT(
      [] { method_named("magic"); },
      ThrowsMessage<UsageError>(HasSubstr("there is no method 'magic': choose one of mgd")));
}

TEST(Methods, AllTrainWithTheirDefaultsAndStoreWhatTheyWereAskedFor) {
  const auto data = testing::random_problem({.rows = 60, .features = 5, .labels = 4}, 3);
  for (const Method* const method : methods()) {
    const auto model = method->fit(data, {}, {1}, nullptr);
    EXPECT_EQ(model.contents().report.method, method->name());
    EXPECT_EQ(model.labels(), 4);
    for (const auto& info : method->options()) {
      EXPECT_EQ(model.contents().options.at(info.name), info.initial)
          << method->name() << ' ' << info.name;
    }
    const auto scores = model.scores(data.x);
    for (const double score : scores.values()) EXPECT_TRUE(std::isfinite(score));
  }
}

TEST(Methods, ThreadsDoNotChangeTheModel) {
  const auto data = testing::random_problem({.rows = 90, .features = 6, .labels = 5}, 3);
  for (const Method* const method : methods()) {
    const auto one = method->fit(data, {}, {1}, nullptr);
    for (const int threads : {2, 4}) {
      EXPECT_EQ(method->fit(data, {}, {threads}, nullptr).contents(), one.contents())
          << method->name();
    }
  }
}

TEST(Methods, RefuseOptionsTheyDoNotHaveAndValuesOutOfRange) {
  const auto data = testing::random_problem({.rows = 20, .features = 2, .labels = 2}, 3);
  const auto fit_br = [&](const OptionValues& values) {
    return method_named("br").fit(data, values, {1}, nullptr);
  };
  EXPECT_THAT(
      [&] {
        fit_br({{"sigma", "1"}});
      },
      ThrowsMessage<UsageError>(HasSubstr("br: there is no option 'sigma'")));
  EXPECT_THAT(
      [&] {
        fit_br({{"rho", "much"}});
      },
      ThrowsMessage<UsageError>(HasSubstr("rho must be a number, got 'much'")));
  EXPECT_THAT(
      [&] {
        fit_br({{"rho", "-1"}});
      },
      ThrowsMessage<UsageError>(HasSubstr("rho must be >= 0, got -1")));
  EXPECT_THAT(
      [&] {
        fit_br({{"tolerance", "1"}});
      },
      ThrowsMessage<UsageError>(HasSubstr("tolerance must be in [0, 1), got 1")));
  EXPECT_THAT(
      [&] {
        fit_br({{"weka-ridge", "yes"}});
      },
      ThrowsMessage<UsageError>(HasSubstr("weka-ridge must be true or false, got 'yes'")));
  EXPECT_THAT(
      [&] {
        fit_br({{"representation", "big"}});
      },
      ThrowsMessage<UsageError>(HasSubstr("there is no representation 'big'")));
}

}  // namespace
}  // namespace mugrad

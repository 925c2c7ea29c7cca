// SPDX-License-Identifier: MIT
// What methods declare about themselves is what they do.
#include "support/random_problem.h"

#include <mugrad/core/error.h>
#include <mugrad/method/method.h>
#include <mugrad/solver/solve.h>
#include <mugrad/transfer/transfer_matrix.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace mugrad {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class MethodTraitsTest : public ::testing::TestWithParam<const Method*> {
 protected:
  const Method& method() const { return *GetParam(); }
  const MethodTraits& traits() const { return method().traits(); }
  static Dataset data() {
    return testing::random_problem({.rows = 40, .features = 4, .labels = 3}, 5);
  }
  /// Whether training ends without a refusal.
  bool takes(const Dataset& data, const TrainingExtras& extras = {}) const {
    try {
      method().fit(data, {}, extras, {1}, nullptr);
      return true;
    } catch (const UsageError&) {
      return false;
    } catch (const InputError&) {
      return false;
    }
  }
};

TEST_P(MethodTraitsTest, WeightsOfExamplesAndUnknownLabelsAreTakenWhereTheySaySo) {
  auto weighted = data();
  weighted.row_weights.assign(static_cast<std::size_t>(weighted.rows()), 2);
  EXPECT_EQ(takes(weighted), traits().takes_row_weights);
  auto unknown = data();
  unknown.unknown.cols = unknown.labels();
  for (Index row = 0; row < unknown.rows(); ++row) {
    if (row == 0 && std::ranges::count(unknown.y.row(0), 1) == 0)
      unknown.unknown.column.push_back(1);
    if (row == 1 && std::ranges::count(unknown.y.row(1), 2) == 0)
      unknown.unknown.column.push_back(2);
    if (row == 2 && std::ranges::count(unknown.y.row(2), 0) == 0)
      unknown.unknown.column.push_back(0);
    unknown.unknown.end_row();
  }
  ASSERT_GT(unknown.unknown.ones(), 0);
  EXPECT_EQ(takes(unknown), traits().takes_unknown_labels);
}

TEST_P(MethodTraitsTest, ExtrasAreTakenWhereTheySaySo) {
  const auto set = data();
  const auto labels = static_cast<std::size_t>(set.labels());
  const auto model = std::make_shared<Model>(method().fit(set, {}, {1}, nullptr));
  EXPECT_EQ(takes(set, {.start = model}), traits().takes_start);
  const auto continuable = traits().takes_prior ? with_curvature(*model, set, {1}) : *model;
  EXPECT_EQ(takes(set, {.prior = std::make_shared<Model>(continuable)}), traits().takes_prior);
  EXPECT_EQ(takes(set, {.transfer = no_transfer(set.labels())}), traits().takes_transfer);
  EXPECT_EQ(takes(set, {.sigma_per_label = std::vector<double>(labels, 0.1)}),
            traits().takes_sigma_per_label);
  EXPECT_EQ(takes(set, {.positive_weights = std::vector<double>(labels, 2)}),
            traits().takes_positive_weights);
}

TEST_P(MethodTraitsTest, ModelsHaveRelationsWhereTheySaySo) {
  const Model model = method().fit(data(), {}, {1}, nullptr);
  const auto& relations = model.contents().relations;
  bool has_others = false;
  for (LabelId label = 0; label < model.labels(); ++label) {
    has_others |= std::ranges::any_of(relations.row_columns(label),
                                      [=](std::int32_t other) { return other != label; });
  }
  EXPECT_EQ(has_others, traits().has_relations);
}

TEST_P(MethodTraitsTest, ProgressSeesIteratesWhereTheySaySo) {
  Trace trace;
  method().fit(data(), {}, {1}, &trace);
  EXPECT_EQ(!trace.iterates().empty(), traits().has_iterates);
}

TEST_P(MethodTraitsTest, SearchesPresetsAndTolerancesAreOfOptionsThatTheyHave) {
  ASSERT_FALSE(traits().usual_search.empty());
  for (const SearchStage& stage : traits().usual_search) {
    EXPECT_NO_THROW(method().check(stage.fixed));
    for (const auto& alternative : stage.alternatives) {
      EXPECT_NO_THROW(method().check(alternative));
    }
    for (const Dimension& dimension : stage.space) {
      for (const auto& value : dimension.values) {
        EXPECT_NO_THROW(method().check({{dimension.option, value}})) << dimension.option;
      }
    }
  }
  for (const auto& [option, other] : traits().instead_of) {
    EXPECT_TRUE(method().has_option(option) && method().has_option(other)) << option;
  }
  for (const Preset& preset : traits().presets) {
    EXPECT_NO_THROW(method().check(preset.values));
    EXPECT_EQ(&preset_named(method(), preset.name), &preset);
  }
  if (!traits().trial_tolerance.empty()) {
    EXPECT_NO_THROW(method().check({{"tolerance", traits().trial_tolerance}}));
  }
}

INSTANTIATE_TEST_SUITE_P(All, MethodTraitsTest, ::testing::ValuesIn(methods()), [](const auto& of) {
  std::string name(of.param->name());
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(MethodTraits, RefusalsNameTheMethodsThatTakeIt) {
  const auto data = testing::random_problem({.rows = 40, .features = 4, .labels = 3}, 5);
  EXPECT_THAT(
      [&] {
        method_named("lift").fit(data, {}, {.sigma_per_label = {1, 1, 1}}, {1}, nullptr);
      },
      ThrowsMessage<UsageError>("lift takes no transfer strength per label, unlike mgd"));
  EXPECT_THAT([] { preset_named(method_named("br"), "paper"); },
              ThrowsMessage<UsageError>("the preset 'paper' belongs to mgd, not to br"));
  EXPECT_THAT([] { preset_named(method_named("mgd"), "book"); },
              ThrowsMessage<UsageError>("there is no preset 'book': choose from paper (mgd)"));
}

TEST(MethodTraits, AnOptionOfOneNameMeansTheSameInAllMethods) {
  std::map<std::string, OptionInfo> first;
  for (const Method* const method : methods()) {
    for (const OptionInfo& info : method->options()) {
      const auto [known, is_new] = first.emplace(info.name, info);
      if (is_new) continue;
      SCOPED_TRACE(std::string(method->name()) + " --" + info.name);
      EXPECT_EQ(info.choices, known->second.choices);
      EXPECT_EQ(info.help, known->second.help);
      EXPECT_EQ(info.was, known->second.was);
    }
  }
}

TEST_P(MethodTraitsTest, OlderNamesOfOptionsGiveTheSameModel) {
  for (const OptionInfo& info : method().options()) {
    if (info.was.empty()) continue;
    const std::string value = !info.choices.empty()              ? info.choices.back()
                              : info.name == "kmeans-iterations" ? "2"
                                                                 : "0.01";
    const auto now = method().fit(data(), {{info.name, value}}, {1}, nullptr).contents();
    EXPECT_EQ(method().fit(data(), {{info.was, value}}, {1}, nullptr).contents(), now);
    EXPECT_EQ(now.options.at(info.name), value);
    EXPECT_TRUE(method().has_option(info.was));
    EXPECT_THAT(
        [&] {
          method().check({{info.was, value}, {info.name, value}});
        },
        ThrowsMessage<UsageError>(HasSubstr("give one of them")));
  }
}

TEST_P(MethodTraitsTest, ReportsASolveWhereThereIsALabelToSolveForAlone) {
  const auto solved = method().fit(data(), {}, {1}, nullptr).contents().report.solve;
  EXPECT_EQ(solved.has_value(), traits().solves);
  if (solved) {
    EXPECT_FALSE(solved->solver.empty());
    EXPECT_EQ(solved->stop, to_string(Stop::converged));
    EXPECT_GT(solved->effort, 0);
    EXPECT_GT(solved->first_residual, solved->residual);
    EXPECT_GT(solved->minimised, 0);
    EXPECT_FALSE(solved->fixed_step);  // the plain solver alone has one
  }
  auto constant = data();
  constant.y = {.cols = 3, .row_start = {0}, .column = {}};
  for (Index row = 0; row < constant.x.rows(); ++row) {
    constant.y.column.push_back(1);  // the second label always, the others never
    constant.y.end_row();
  }
  const auto report = method().fit(constant, {}, {1}, nullptr).contents().report;
  EXPECT_FALSE(report.solve);
  EXPECT_EQ(report.constant_labels.size(), 3U);
  EXPECT_EQ(report.rows, 40);
}

}  // namespace
}  // namespace mugrad

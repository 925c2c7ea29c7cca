// SPDX-License-Identifier: MIT
// What a head declares of its scores is true of them, and the file format describes every head.
#include "support/paths.h"
#include "support/random_heads.h"
#include "support/random_problem.h"
#include "support/temporary_folder.h"

#include <mugrad/core/error.h>
#include <mugrad/model/head.h>

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>

namespace mugrad {
namespace {

using testing::random_model_of_every_head;

constexpr std::uint64_t kSeeds = 40;

/// Far rows, too, so that scores come to the ends of their range.
Matrix<double> rows_for(std::uint64_t seed) {
  return testing::random_weights(30, testing::kRandomHeadFeatures, seed, seed % 2 == 0 ? 1 : 20);
}

/// check(model, range) for random models of every head.
template <class Check>
void for_each_scored(const Check& check) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    for (const Model& model : random_model_of_every_head(seed)) {
      SCOPED_TRACE(std::string(kind_of(model.contents().head)) + " " + std::to_string(seed));
      check(model, score_range(model.contents().head));
    }
  }
}

TEST(DeclaredScores, KeepTheRangeThatIsALimitAndLeaveTheOthers) {
  constexpr double kRounding = 1e-14;  // of sums over a few classes, votes or members
  std::uint64_t seed = 0;
  std::map<std::string, bool> leaves;  // by kind and whether its range is a limit
  for_each_scored([&](const Model& model, const ScoreRange& range) {
    const std::string name(kind_of(model.contents().head));
    const auto scores = model.scores(rows_for(seed++));
    for (const double score : scores.values()) {
      if (range.is_limit) {
        ASSERT_GE(score, range.low - kRounding);
        ASSERT_LE(score, range.high + kRounding);
      } else {
        leaves[name] |= score < range.low || score > range.high;
      }
    }
  });
  EXPECT_EQ(leaves.size(), 3U) << "independent, feedback, kernel";
  for (const auto& [kind, does] : leaves) {
    EXPECT_TRUE(does) << kind << " keeps its range: declare it a limit";
  }
}

TEST(DeclaredScores, HaveTheirMiddleWithinAndOnBothSidesOfIt) {
  std::map<std::string, std::set<bool>> sides;
  std::uint64_t seed = 0;
  for_each_scored([&](const Model& model, const ScoreRange& range) {
    EXPECT_LT(range.low, range.middle);
    EXPECT_LT(range.middle, range.high);
    const auto scores = model.scores(rows_for(seed++));
    for (const double score : scores.values()) {
      sides[std::string(kind_of(model.contents().head))].insert(score >= range.middle);
    }
  });
  EXPECT_EQ(sides.size(), std::variant_size_v<Head>);
  for (const auto& [kind, found] : sides) EXPECT_EQ(found.size(), 2U) << kind;
}

TEST(DeclaredScores, AreProbabilitiesOnlyBetweenZeroAndOne) {
  int probabilities = 0;
  for_each_scored([&](const Model&, const ScoreRange& range) {
    if (!range.are_probabilities) return;
    ++probabilities;
    EXPECT_EQ(range, ScoreRange{});
  });
  EXPECT_GT(probabilities, 0);
}

TEST(DeclaredScores, SayWhichThresholdsAModelMayHave) {
  for_each_scored([](const Model& model, const ScoreRange& range) {
    const double thresholds[] = {range.low,      range.middle, range.high, range.low - 0.1,
                                 range.high + 2, HUGE_VAL,     -HUGE_VAL,  std::nan("")};
    for (const double threshold : thresholds) {
      if (range.contains(threshold)) {
        EXPECT_NO_THROW(model.with_thresholds({threshold})) << threshold;
      } else {
        EXPECT_THROW(model.with_thresholds({threshold}), InputError) << threshold;
      }
    }
    EXPECT_TRUE(range.contains(range.middle));
    EXPECT_EQ(range.contains(range.high + 2), !range.is_limit);
    EXPECT_FALSE(range.contains(HUGE_VAL));
  });
}

TEST(DeclaredScores, AreLinearWhereTheHeadSaysSo) {
  for_each_scored([](const Model& model, const ScoreRange& range) {
    const auto x = rows_for(1);
    if (!has_linear_scores(model.contents().head)) {
      EXPECT_THROW(model.linear_scores(x), UsageError);
      return;
    }
    const auto linear = model.linear_scores(x);
    const auto scores = model.scores(x);
    for (std::size_t k = 0; k < scores.values().size(); ++k) {
      const double z = linear.values()[k];
      EXPECT_NEAR(scores.values()[k], range.are_probabilities ? 1 / (1 + std::exp(-z)) : z, 1e-12);
    }
  });
}

TEST(EveryHead, IsTheSameAfterSavingAndLoading) {
  for_each_scored([](const Model& model, const ScoreRange&) {
    EXPECT_EQ(Model::from_bytes(model.to_bytes(), "it").contents(), model.contents());
  });
}

/// The rows of the table of heads in docs/model-file.md, by their first cell.
std::map<std::string, std::string> documented_heads() {
  static const std::regex kRow(R"re(\n\| `(\w+)` (\|.*))re");
  const auto text = testing::read_file(testing::in_repository("docs/model-file.md"));
  const auto begin = text.find("## Heads");
  const std::string section = text.substr(begin, text.find("\n## ", begin) - begin);
  std::map<std::string, std::string> rows;
  for (std::sregex_iterator at(section.begin(), section.end(), kRow), end; at != end; ++at) {
    rows[(*at)[1]] = (*at)[2];
  }
  return rows;
}

TEST(EveryHead, IsInTheDescriptionOfTheModelFileWithAllItsFields) {
  const auto documented = documented_heads();
  EXPECT_EQ(documented.size(), std::variant_size_v<Head>);
  for (const Head& head : empty_heads()) {
    const auto row = documented.find(std::string(kind_of(head)));
    ASSERT_NE(row, documented.end()) << "docs/model-file.md lacks the head " << kind_of(head);
    const auto fields = fields_of(head);
    EXPECT_FALSE(fields.empty());
    for (const auto& field : fields) {
      EXPECT_NE(row->second.find("`" + std::string(field.name) + "`"), std::string::npos)
          << "docs/model-file.md lacks " << field.name << " of the head " << kind_of(head);
    }
  }
}

}  // namespace
}  // namespace mugrad

// SPDX-License-Identifier: MIT
#include <mugrad/core/error.h>
#include <mugrad/data/generator.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace mugrad {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Pair = std::pair<LabelId, LabelId>;

std::string usage_error(const GeneratorOptions& options) {
  try {
    generate(options);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no UsageError";
}

double cosine(const BinaryMatrix& rows_of_label, Index a, Index b) {
  const auto rows_a = rows_of_label.row(a);
  const auto rows_b = rows_of_label.row(b);
  std::vector<LabelId> both;
  std::ranges::set_intersection(rows_a, rows_b, std::back_inserter(both));
  return static_cast<double>(both.size()) /
         std::sqrt(static_cast<double>(rows_a.size()) * static_cast<double>(rows_b.size()));
}

void expect_both_classes(const BinaryMatrix& y) {
  for (const Index count : column_counts(y)) {
    EXPECT_GE(count, 1);
    EXPECT_LT(count, y.rows());
  }
}

TEST(Generator, HasTheShapeAskedFor) {
  const auto data = generate({.rows = 70, .features = 9, .labels = 6}).data;
  EXPECT_EQ(data.rows(), 70);
  EXPECT_EQ(data.y.rows(), 70);
  EXPECT_EQ(data.features(), 9);
  EXPECT_EQ(data.labels(), 6);
  EXPECT_FALSE(data.x.is_sparse());
  EXPECT_EQ(data.feature_names.front(), "x1");
  EXPECT_EQ(data.feature_names.back(), "x9");
  EXPECT_THAT(data.label_names, ElementsAre("g1-a", "g1-b", "g1-c", "g1-d", "g2-a", "g2-b"));
}

TEST(Generator, DependsOnTheSeedOnly) {
  const auto first = generate({.seed = 5});
  const auto again = generate({.seed = 5});
  const auto other = generate({.seed = 6});
  EXPECT_EQ(first.data.x, again.data.x);
  EXPECT_EQ(first.data.y, again.data.y);
  EXPECT_NE(first.data.x, other.data.x);
  EXPECT_NE(first.data.y, other.data.y);
}

TEST(Generator, FeaturesAreStandardNormal) {
  const auto data = generate({.rows = 2000, .features = 20}).data;
  double sum = 0;
  double squares = 0;
  for (const double value : data.x.dense().values()) {
    sum += value;
    squares += value * value;
  }
  // Six standard deviations over 40,000 draws.
  EXPECT_NEAR(sum / 40000, 0, 6 / std::sqrt(40000));
  EXPECT_NEAR(squares / 40000, 1, 6 * std::sqrt(2.0 / 40000));
}

TEST(Generator, HasTheCardinalityAskedFor) {
  for (const double cardinality : {0.5, 3.0, 10.0, 17.0, 19.5}) {
    const auto data = generate({.rows = 400, .cardinality = cardinality}).data;
    // Positives are counted in whole rows; the last rounding is not carried on.
    EXPECT_NEAR(data.cardinality(), cardinality, 1.0 / 400);
    expect_both_classes(data.y);
  }
}

TEST(Generator, BaseRatesVaryBetweenLabelsUpToTheLargest) {
  auto counts = column_counts(generate({.rows = 10000, .cardinality = 3}).data.y);
  std::ranges::sort(counts);
  EXPECT_NEAR(static_cast<double>(counts.back()) / static_cast<double>(counts.front()), 2.5 / 0.4,
              0.1);
  counts = column_counts(generate({.rows = 1000, .cardinality = 12}).data.y);
  EXPECT_LE(*std::ranges::max_element(counts), 901);
}

TEST(Generator, EveryLabelHasBothClasses) {
  for (const Index rows : {2, 3, 7}) {
    for (const double cardinality : {0.01, 3.0, 19.99}) {
      expect_both_classes(generate({.rows = rows, .cardinality = cardinality}).data.y);
    }
  }
}

TEST(Generator, ListsTheRelatedPairsExactly) {
  const auto result = generate({.labels = 7, .group_size = 3});
  EXPECT_THAT(result.group, ElementsAre(0, 0, 0, 1, 1, 1, 2));
  EXPECT_THAT(result.related,
              ElementsAre(Pair{0, 1}, Pair{0, 2}, Pair{1, 2}, Pair{3, 4}, Pair{3, 5}, Pair{4, 5}));
}

TEST(Generator, LabelsOfOneGroupOccurTogetherMoreThanOthers) {
  for (const double density : {1.0, 0.2}) {
    const auto result = generate({.rows = 1000, .density = density});
    const auto rows_of_label = transposed(result.data.y);
    double inside = 0, inside_pairs = 0, across = 0, across_pairs = 0;
    for (Index a = 0; a < 20; ++a) {
      for (Index b = a + 1; b < 20; ++b) {
        const bool same =
            result.group[static_cast<std::size_t>(a)] == result.group[static_cast<std::size_t>(b)];
        (same ? inside : across) += cosine(rows_of_label, a, b);
        ++(same ? inside_pairs : across_pairs);
      }
    }
    EXPECT_GT(inside / inside_pairs, 2 * across / across_pairs);
  }
}

TEST(Generator, FullRelatednessWithoutNoiseNestsTheLabelsOfAGroup) {
  const auto result =
      generate({.labels = 4, .group_size = 4, .relatedness = 1, .cardinality = 1, .noise = 0});
  const auto rows_of_label = transposed(result.data.y);
  for (const auto& [a, b] : result.related) {
    const auto rows_a = rows_of_label.row(a);
    const auto rows_b = rows_of_label.row(b);
    EXPECT_TRUE(std::ranges::includes(rows_a, rows_b) || std::ranges::includes(rows_b, rows_a));
  }
}

TEST(Generator, HonoursTheDensity) {
  for (const double density : {0.01, 0.133, 0.5}) {
    const auto data = generate({.rows = 1000, .features = 60, .density = density}).data;
    ASSERT_TRUE(data.x.is_sparse());
    const auto& x = data.x.sparse();
    EXPECT_EQ(x.rows(), 1000);
    EXPECT_EQ(x.cols, 60);
    // A row rounds 60 * density up or down at random: six deviations of at most 1/2 each.
    EXPECT_NEAR(static_cast<double>(x.nonzeros()), 60000 * density, 6 * std::sqrt(1000) / 2);
    EXPECT_EQ(std::ranges::count(x.value, 0.0), 0);
    for (Index row = 0; row < 1000; ++row) {
      const auto columns = x.row_columns(row);
      EXPECT_TRUE(std::ranges::adjacent_find(columns, std::ranges::greater_equal()) ==
                  columns.end());
    }
    expect_both_classes(data.y);
  }
}

TEST(Generator, MakesASingleLabel) {
  const auto result = generate({.labels = 1, .cardinality = 0.4});
  EXPECT_THAT(result.group, ElementsAre(0));
  EXPECT_THAT(result.related, IsEmpty());
  EXPECT_DOUBLE_EQ(result.data.cardinality(), 0.4);
}

TEST(Generator, AllowsAGroupLargerThanTheLabels) {
  const auto result = generate({.labels = 3, .group_size = 100, .cardinality = 1});
  EXPECT_THAT(result.related, ElementsAre(Pair{0, 1}, Pair{0, 2}, Pair{1, 2}));
}

TEST(Generator, GroupsOfOneAreUnrelated) {
  const auto result = generate({.labels = 5, .group_size = 1, .cardinality = 1});
  EXPECT_THAT(result.related, IsEmpty());
  EXPECT_THAT(result.group, ElementsAre(0, 1, 2, 3, 4));
}

TEST(Generator, NamesAreUniqueInLargeGroups) {
  const auto names = generate({.labels = 800, .group_size = 750}).data.label_names;
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), 800U);
  EXPECT_EQ(names[25], "g1-z");
  EXPECT_EQ(names[26], "g1-aa");
  EXPECT_EQ(names[702], "g1-aaa");
}

TEST(Generator, WorksWithOneFeatureAndOneRow) {
  EXPECT_EQ(generate({.features = 1}).data.features(), 1);
  EXPECT_EQ(generate({.rows = 1}).data.rows(), 1);
}

TEST(Generator, RefusesOptionsOutOfRange) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(usage_error({.rows = 0}), "rows must be between 1 and 2147483647, got 0");
  EXPECT_EQ(usage_error({.features = -1}), "features must be between 1 and 2147483647, got -1");
  EXPECT_EQ(usage_error({.labels = 0}), "labels must be between 1 and 2147483647, got 0");
  EXPECT_EQ(usage_error({.group_size = 0}), "group_size must be between 1 and 2147483647, got 0");
  EXPECT_EQ(usage_error({.relatedness = 1.5}), "relatedness must be between 0 and 1, got 1.5");
  EXPECT_EQ(usage_error({.labels = 3, .cardinality = 3}),
            "cardinality must be above 0 and below the number of labels, 3, got 3");
  EXPECT_EQ(usage_error({.noise = -1}), "noise must be >= 0, got -1");
  EXPECT_EQ(usage_error({.density = 0}), "density must be above 0 and at most 1, got 0");
  EXPECT_EQ(usage_error({.density = nan}), "density must be above 0 and at most 1, got nan");
}

}  // namespace
}  // namespace mugrad

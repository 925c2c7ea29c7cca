// SPDX-License-Identifier: MIT
#include "data/suspicious_columns.h"

#include "support/random_problem.h"

#include <mugrad/core/random.h>
#include <mugrad/data/generator.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace mugrad {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// Data read from a file, whose labels do not depend on the features.
Dataset named(Index rows, std::uint64_t seed = 1) {
  auto data = testing::random_problem({.rows = rows, .features = 5, .labels = 3}, seed);
  data.feature_names = {"a", "b", "c", "d", "e"};
  data.label_names = {"x", "y", "z"};
  data.labels_from = "a file";
  return data;
}

/// The rows that have the label first.
Dataset sorted_by(const Dataset& data, LabelId label) {
  std::vector<Index> rows(as_size(data.rows()));
  for (std::size_t row = 0; row < rows.size(); ++row) rows[row] = as_index(row);
  std::stable_partition(rows.begin(), rows.end(), [&](Index row) {
    return std::ranges::binary_search(data.y.row(row), label);
  });
  return select_rows(data, rows);
}

/// Replaces a feature by a function of the row, and of whether it has the first label.
void set_feature(Dataset& data, Index feature,
                 const std::function<double(Index row, bool has_label)>& value) {
  Matrix<double> x(data.rows(), data.features());
  for (Index row = 0; row < data.rows(); ++row) {
    data.x.for_each_in_row(row, [&](FeatureId k, double number) { x(row, k) = number; });
    x(row, feature) = value(row, std::ranges::binary_search(data.y.row(row), 0));
  }
  data.x = std::move(x);
}

TEST(SuspiciousColumns, ANumberThatCountsRowsSortedByALabelIsNamed) {
  for (const double step : {1.0, -2.5}) {
    auto data = sorted_by(named(300), 1);
    set_feature(data, 2, [&](Index row, bool) { return 10 + step * static_cast<double>(row); });
    EXPECT_THAT(suspicious_columns(data),
                ElementsAre(AllOf(HasSubstr("the column 'c' counts through rows that seem to be "
                                            "sorted by label 'y'"),
                                  HasSubstr("use ReadOptions::roles (identifier) = c"))));
  }
}

TEST(SuspiciousColumns, ANumberOfRowsInNoOrderIsNot) {
  auto data = named(300);
  set_feature(data, 2, [](Index row, bool) { return static_cast<double>(row); });
  EXPECT_THAT(suspicious_columns(data), IsEmpty());
  auto ordered = sorted_by(named(300), 1);
  set_feature(ordered, 2, [](Index row, bool) { return static_cast<double>(row / 2); });
  EXPECT_THAT(suspicious_columns(ordered), Not(ElementsAre(HasSubstr("counts"))));
}

TEST(SuspiciousColumns, AColumnThatAloneTellsALabelIsNamed) {
  auto data = named(300);
  RandomStream random(1, "leak");
  const auto leak = [&](Index, bool has_label) { return (has_label ? -5 : 5) + random.normal(); };
  set_feature(data, 3, leak);
  const auto is_named =
      ElementsAre(AllOf(HasSubstr("the column 'd' alone tells label 'x' nearly without error"),
                        HasSubstr("use ReadOptions::drop = d")));
  EXPECT_THAT(suspicious_columns(data), is_named);
  data.x = testing::as_sparse(data.x);
  EXPECT_THAT(suspicious_columns(data), is_named);
  data.labels_from.clear();
  EXPECT_THAT(suspicious_columns(data), ElementsAre(HasSubstr("predicted, leave it out")));
}

TEST(SuspiciousColumns, ZerosOfAColumnMayTellALabel) {
  auto data = named(300);
  set_feature(data, 3, [](Index, bool has_label) { return has_label ? 0 : 1; });
  data.x = testing::as_sparse(data.x);
  EXPECT_THAT(suspicious_columns(data), ElementsAre(HasSubstr("'d' alone tells label 'x'")));
}

TEST(SuspiciousColumns, FeaturesOfOneCategoryAreOneColumn) {
  auto data = named(300);
  data.feature_names = {"a", "b", "plan=free", "plan=paid", "e"};
  set_feature(data, 2, [](Index, bool has_label) { return has_label ? 1 : 0; });
  set_feature(data, 3, [](Index, bool has_label) { return has_label ? 0 : 1; });
  EXPECT_THAT(suspicious_columns(data), ElementsAre(HasSubstr("the column 'plan' alone")));
  data.encoding.columns = {{.name = "plan", .role = ColumnRole::category, .first = 2, .width = 2},
                           {.name = "a", .first = 0, .width = 1},
                           {.name = "b", .first = 1, .width = 1}};
  EXPECT_THAT(suspicious_columns(data), ElementsAre(HasSubstr("the column 'plan' alone")));
}

TEST(SuspiciousColumns, ALabelThatSeveralColumnsTellIsEasyAndNotSuspicious) {
  auto data = named(300);
  RandomStream random(1, "easy");
  set_feature(data, 3, [](Index, bool has_label) { return has_label ? 1 : 0; });
  set_feature(data, 1,
              [&](Index, bool has_label) { return (has_label ? 1 : 0) + random.normal(); });
  EXPECT_THAT(suspicious_columns(data), ElementsAre(HasSubstr("'d'")));
  set_feature(data, 1,
              [&](Index, bool has_label) { return (has_label ? 4 : 0) + random.normal(); });
  EXPECT_THAT(suspicious_columns(data), IsEmpty());
}

TEST(SuspiciousColumns, FewPositivesOrNegativesProveNothing) {
  for (const Index few : {19, 281}) {
    auto data = named(300);
    data.y = {.cols = 1};
    for (Index row = 0; row < 300; ++row) {
      if (row % 2 == 0 ? row / 2 < few : few > 150 && (row / 2) < few - 150) {
        data.y.column.push_back(0);
      }
      data.y.end_row();
    }
    data.label_names = {"x"};
    set_feature(data, 3, [](Index, bool has_label) { return has_label ? 1 : 0; });
    EXPECT_THAT(suspicious_columns(data), IsEmpty()) << data.y.ones();
  }
}

TEST(SuspiciousColumns, TermsOfTextsMayTellALabel) {
  auto data = named(300);
  set_feature(data, 3, [](Index, bool has_label) { return has_label ? 1 : 0; });
  data.x = testing::as_sparse(data.x);
  data.term_blocks = {{.first = 3, .count = 1}};
  EXPECT_THAT(suspicious_columns(data), IsEmpty());
}

TEST(SuspiciousColumns, LabelsThatAreNotAllKnownAreNotLookedAt) {
  auto data = named(300);
  set_feature(data, 3, [](Index, bool has_label) { return has_label ? 1 : 0; });
  data.unknown = {.cols = 3};
  for (Index row = 0; row < 300; ++row) {
    if (row == 7) data.unknown.column.push_back(0);
    data.unknown.end_row();
  }
  EXPECT_THAT(suspicious_columns(data), IsEmpty());
}

TEST(SuspiciousColumns, LargeDataAreSampled) {
  auto data = named(20'000);
  set_feature(data, 0, [](Index, bool has_label) { return has_label ? 1 : 0; });
  EXPECT_THAT(suspicious_columns(data), ElementsAre(HasSubstr("the column 'a'")));
}

TEST(SuspiciousColumns, GeneratedDataHaveNone) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto data = generate({.rows = 500, .features = 20, .labels = 8, .seed = seed}).data;
    EXPECT_THAT(suspicious_columns(data), IsEmpty());
    EXPECT_THAT(suspicious_columns(named(200, seed)), IsEmpty());
  }
}

}  // namespace
}  // namespace mugrad

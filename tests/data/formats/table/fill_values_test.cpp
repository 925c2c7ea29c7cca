// SPDX-License-Identifier: MIT
// The values that take the place of missing ones, against plain loops over a column.
#include "data/formats/table/fill_values.h"

#include <mugrad/core/error.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace mugrad::formats {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// Random small numbers, some zero and some missing; column 3 has missing values only.
std::vector<std::vector<double>> random_rows(Index rows, Index width, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::vector<double>> result(as_size(rows));
  for (auto& row : result) {
    for (Index k = 0; k < width; ++k) {
      const auto draw = random() % 8;
      row.push_back(k == 3 || draw == 0 ? kMissing
                    : draw < 4          ? 0
                                        : static_cast<double>(random() % 100) / 7 - 6);
    }
  }
  return result;
}

RawFeatures raw_of(const std::vector<std::vector<double>>& rows, Index width, bool is_sparse) {
  RawFeatures raw(width);
  for (const auto& row : rows) {
    if (!is_sparse) {
      raw.add_row(row);
      continue;
    }
    raw.start_sparse_row();
    for (Index k = 0; k < width; ++k) raw.add_entry(static_cast<FeatureId>(k), row[as_size(k)]);
    raw.end_sparse_row();
  }
  return raw;
}

std::vector<double> present(const std::vector<std::vector<double>>& rows, FeatureId column) {
  std::vector<double> values;
  for (const auto& row : rows) {
    if (!std::isnan(row[as_size(column)])) values.push_back(row[as_size(column)]);
  }
  std::ranges::sort(values);
  return values;
}

TEST(FillValues, AreThoseOfPlainLoops) {
  constexpr Index kWidth = 9;
  const std::vector<FeatureId> columns = {0, 2, 3, 4, 8};
  for (const Index count : {0, 1, 2, 3, 10, 101}) {
    const auto rows = random_rows(count, kWidth, static_cast<unsigned>(count));
    for (const bool is_sparse : {false, true}) {
      const auto raw = raw_of(rows, kWidth, is_sparse);
      const auto medians = medians_of(raw, columns, nullptr);
      const auto means = means_of(raw, columns, nullptr);
      ASSERT_EQ(medians.size(), columns.size());
      ASSERT_EQ(means.size(), columns.size());
      for (std::size_t k = 0; k < columns.size(); ++k) {
        const auto values = present(rows, columns[k]);
        const auto n = values.size();
        const double median = n == 0 ? 0 : (values[(n - 1) / 2] + values[n / 2]) / 2;
        double sum = 0;
        for (const double value : values) sum += value;
        EXPECT_DOUBLE_EQ(medians[k], median) << count << " rows, column " << columns[k];
        EXPECT_NEAR(means[k], n == 0 ? 0 : sum / static_cast<double>(n), 1e-12);
      }
    }
  }
}

TEST(FillValues, OfManyColumnsTakeOneLookAtEachCell) {
  // One pass per column would take 10^10 steps.
  constexpr Index kWidth = 2000;
  const auto rows = random_rows(kWidth, kWidth, 1);
  std::vector<FeatureId> columns;
  for (FeatureId k = 0; k < kWidth; ++k) columns.push_back(k);
  for (const bool is_sparse : {false, true}) {
    const auto medians = medians_of(raw_of(rows, kWidth, is_sparse), columns, nullptr);
    for (const FeatureId k : {0, 1, 3, 1000, 1999}) {
      const auto values = present(rows, k);
      const auto n = values.size();
      const double median = n == 0 ? 0 : (values[(n - 1) / 2] + values[n / 2]) / 2;
      EXPECT_DOUBLE_EQ(medians[as_size(k)], median);
    }
  }
}

TEST(FillValues, CanBeInterrupted) {
  const auto raw = raw_of(random_rows(10, 4, 1), 4, false);
  ProgressFunction stop([](double) { return false; });
  const std::vector<FeatureId> columns = {1};
  EXPECT_THROW(medians_of(raw, columns, &stop), InterruptedError);
  EXPECT_THROW(means_of(raw, columns, &stop), InterruptedError);
}

}  // namespace
}  // namespace mugrad::formats

// SPDX-License-Identifier: MIT
#include "data/row_hash.h"
#include "support/random_problem.h"

#include <mugrad/core/random.h>
#include <mugrad/model/model.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

namespace mugrad {
namespace {

using ::testing::SizeIs;

/// Rows of small whole numbers, of which many are equal.
Matrix<double> repeated_rows(Index rows, std::uint64_t seed) {
  RandomStream random(seed, "rows");
  Matrix<double> x(rows, 4);
  for (double& value : x.values()) value = static_cast<double>(random.below(5));
  return x;
}

/// Rows that all differ.
Matrix<double> different_rows(Index rows, std::uint64_t seed) {
  RandomStream random(seed, "rows");
  Matrix<double> x(rows, 3);
  for (double& value : x.values()) value = random.normal();
  return x;
}

Features part_of(const Matrix<double>& x, Index begin, Index end, Index step = 1) {
  Matrix<double> rows((end - begin + step - 1) / step, x.cols());
  for (Index row = 0; row < rows.rows(); ++row) {
    std::ranges::copy(x.row(begin + row * step), rows.row(row).begin());
  }
  return rows;
}

/// By its definition: all hashes, counted.
RowSample plain_sample(const Features& x) {
  std::map<Index, Index> counts;
  RowHash hash_of;
  for (Index row = 0; row < x.rows(); ++row) {
    if (const auto hash = hash_of(x, row)) ++counts[*hash];
  }
  RowSample sample;
  for (const auto& [hash, count] : counts) {
    if (sample.hash.size() == RowSample::kMost) break;
    sample.hash.push_back(hash);
    sample.count.push_back(count);
  }
  return sample;
}

TEST(RowSample, HasTheSmallestHashesAndCountsTheirRows) {
  for (const Index rows : {1, 40, 3000}) {
    const Features repeated = repeated_rows(rows, 1), different = different_rows(rows, 1);
    EXPECT_EQ(sample_of(repeated), plain_sample(repeated));
    EXPECT_EQ(sample_of(different), plain_sample(different));
  }
  EXPECT_THAT(sample_of(different_rows(3000, 1)).hash, SizeIs(RowSample::kMost));
}

TEST(RowSample, DependsNeitherOnTheOrderNorOnTheStorageOfRows) {
  const Matrix<double> x = repeated_rows(2000, 2);
  Matrix<double> reversed(x.rows(), x.cols());
  Matrix<float> single(x.rows(), x.cols());
  for (Index row = 0; row < x.rows(); ++row) {
    std::ranges::copy(x.row(row), reversed.row(x.rows() - 1 - row).begin());
    std::ranges::copy(x.row(row), single.row(row).begin());
  }
  const RowSample sample = sample_of(x);
  EXPECT_EQ(sample_of(reversed), sample);
  EXPECT_EQ(sample_of(testing::as_sparse(Features(x))), sample);
  EXPECT_EQ(sample_of(Features(single)), sample);
}

TEST(RowSample, OfPartsMergesToThatOfAllRows) {
  for (const auto& x : {repeated_rows(3000, 3), different_rows(3000, 3)}) {
    const auto first = sample_of(part_of(x, 0, 1100)), second = sample_of(part_of(x, 1100, 3000));
    EXPECT_EQ(merged(first, second), sample_of(x));
    EXPECT_EQ(merged(second, first), sample_of(x));
    EXPECT_EQ(merged(first, {}), first);
  }
}

TEST(RowSample, RowsOfZerosAndOfNoWeightDoNotCount) {
  const Matrix<double> x{{0, 0}, {1, 2}, {-0.0, 0}, {3, 4}};
  const std::vector<double> weights = {1, 1, 1, 0};
  EXPECT_THAT(sample_of(x).hash, SizeIs(2));
  EXPECT_EQ(sample_of(x, weights), sample_of(Matrix<double>{{1, 2}}));
  EXPECT_EQ(seen_rows(sample_of(x), x, 0, 4), (SeenRows{.compared = 2, .seen = 2}));
  EXPECT_TRUE(sample_of(Matrix<double>(5, 2)).is_empty());
}

TEST(RowSample, TheRowOfAnotherFeatureIsAnotherRow) {
  const auto sample = sample_of(Matrix<double>{{1, 0, 0}});
  EXPECT_EQ(seen_rows(sample, Matrix<double>{{0, 1, 0}}, 0, 1).seen, 0);
  EXPECT_EQ(seen_rows(sample, Matrix<double>{{1, 0, 0}}, 0, 1).seen, 1);
}

TEST(RowSample, KnowsWhichShareOfRowsWasTrainedOn) {
  const Matrix<double> x = different_rows(6000, 4);
  const auto sample = sample_of(part_of(x, 0, 3000));
  const auto share = [&](Index begin, Index end) {
    return seen_rows(sample, part_of(x, begin, end), 0, end - begin).share();
  };
  EXPECT_EQ(share(0, 3000), 1);
  EXPECT_EQ(share(3000, 6000), 0);
  // The rows that are compared are a sample too: 4 standard errors of about 85 rows.
  EXPECT_NEAR(share(2900, 3900), 0.1, 0.13);
  EXPECT_NEAR(share(1500, 4500), 0.5, 0.13);
  const auto whole = seen_rows(sample, x, 0, 6000);
  const auto first = seen_rows(sample, x, 0, 100), rest = seen_rows(sample, x, 100, 6000);
  EXPECT_EQ(first.compared + rest.compared, whole.compared);
  EXPECT_EQ(first.seen + rest.seen, whole.seen);
}

// By the estimate of Good and Turing, new rows repeat training rows as often as these repeat each
// other.
TEST(RowSample, RepeatsOfTrainingRowsForetellThoseOfNewRows) {
  const Matrix<double> x = repeated_rows(800, 5);
  const auto sample = sample_of(part_of(x, 0, 400));
  const auto seen = seen_rows(sample, part_of(x, 400, 800), 0, 400);
  EXPECT_GT(sample.repeated_share(), 0.3);
  EXPECT_NEAR(seen.share(), sample.repeated_share(), 0.12);
  EXPECT_EQ(sample_of(different_rows(100, 5)).repeated_share(), 0);
  EXPECT_EQ(RowSample{}.repeated_share(), 0);
}

TEST(RowSample, WithoutOneNothingIsCompared) {
  EXPECT_EQ(seen_rows({}, different_rows(10, 6), 0, 10), SeenRows{});
}

}  // namespace
}  // namespace mugrad

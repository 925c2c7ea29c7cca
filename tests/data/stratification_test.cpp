// SPDX-License-Identifier: MIT
#include "support/label_rows.h"

#include <mugrad/core/error.h>
#include <mugrad/core/random.h>
#include <mugrad/data/generator.h>
#include <mugrad/data/splits.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace mugrad {
namespace {

using Rows = std::vector<std::vector<int>>;

std::vector<std::size_t> shuffled(std::size_t count, std::uint64_t seed, const char* purpose) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  RandomStream(seed, purpose).shuffle(std::span(order));
  return order;
}

/// The published procedure, step by step, scanning everything anew each time. Where it says
/// "random", the library's streams decide: a random order of the rows, one of the labels, and a
/// draw among the parts that remain.
class PlainStratification {
 public:
  PlainStratification(Rows y, std::size_t labels, std::vector<double> ratios, std::uint64_t seed)
      : y_(std::move(y)),
        row_order_(shuffled(y_.size(), seed, "stratification-rows")),
        label_order_(shuffled(labels, seed, "stratification-labels")),
        ties_(seed, "stratification-ties"),
        part_(y_.size(), -1),
        wanted_of_label_(labels) {
    const double sum = std::accumulate(ratios.begin(), ratios.end(), 0.0);
    for (const double ratio : ratios) {
      const double share = ratio / sum;
      wanted_.push_back(static_cast<double>(y_.size()) * share);
      for (std::size_t label = 0; label < labels; ++label) {
        wanted_of_label_[label].push_back(static_cast<double>(remaining(label).size()) * share);
      }
    }
  }

  std::vector<Index> run() {
    while (true) {
      std::size_t rarest = label_order_.size();
      for (const std::size_t label : label_order_) {
        const auto count = remaining(label).size();
        if (count == 0) continue;
        if (rarest == label_order_.size() || count < remaining(rarest).size()) rarest = label;
      }
      if (rarest == label_order_.size()) break;
      for (const std::size_t row : remaining(rarest)) {
        assign(row, best(best(all_parts(), wanted_of_label_[rarest]), wanted_));
      }
    }
    for (const std::size_t row : row_order_) {
      if (part_[row] < 0) assign(row, best(all_parts(), wanted_));
    }
    return part_;
  }

 private:
  std::vector<std::size_t> remaining(std::size_t label) const {
    std::vector<std::size_t> rows;
    for (const std::size_t row : row_order_) {
      if (part_[row] < 0 && y_[row][label] != 0) rows.push_back(row);
    }
    return rows;
  }
  std::vector<std::size_t> all_parts() const {
    std::vector<std::size_t> parts(wanted_.size());
    std::iota(parts.begin(), parts.end(), std::size_t{0});
    return parts;
  }
  static std::vector<std::size_t> best(const std::vector<std::size_t>& parts,
                                       const std::vector<double>& wanted) {
    double most = -std::numeric_limits<double>::infinity();
    for (const std::size_t part : parts) most = std::max(most, wanted[part]);
    std::vector<std::size_t> result;
    for (const std::size_t part : parts) {
      if (wanted[part] == most) result.push_back(part);
    }
    return result;
  }
  void assign(std::size_t row, const std::vector<std::size_t>& candidates) {
    const auto part = candidates[candidates.size() == 1 ? 0 : ties_.below(candidates.size())];
    part_[row] = static_cast<Index>(part);
    wanted_[part] -= 1;
    for (std::size_t label = 0; label < y_[row].size(); ++label) {
      if (y_[row][label] != 0) wanted_of_label_[label][part] -= 1;
    }
  }

  Rows y_;
  std::vector<std::size_t> row_order_;
  std::vector<std::size_t> label_order_;
  RandomStream ties_;
  std::vector<Index> part_;
  std::vector<double> wanted_;
  std::vector<std::vector<double>> wanted_of_label_;
};

BinaryMatrix generated_labels(std::uint64_t seed) {
  return generate({.rows = 600, .features = 20, .labels = 30, .cardinality = 2, .seed = seed})
      .data.y;
}

std::vector<Index> sizes(const std::vector<Index>& parts, Index count) {
  std::vector<Index> result;
  for (Index part = 0; part < count; ++part) result.push_back(std::ranges::count(parts, part));
  return result;
}

TEST(IterativeStratification, FollowsThePublishedProcedure) {
  EXPECT_TRUE(rc::check([] {
    const auto rows = static_cast<std::size_t>(*rc::gen::inRange(0, 60));
    const auto labels = static_cast<std::size_t>(*rc::gen::inRange(1, 10));
    const int rate = *rc::gen::inRange(1, 60);
    Rows y(rows);
    for (auto& row : y) {
      for (std::size_t label = 0; label < labels; ++label) {
        row.push_back(*rc::gen::inRange(0, 100) < rate ? 1 : 0);
      }
    }
    const std::vector<std::vector<double>> choices = {
        {0.8, 0.2}, {1, 1, 1}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {0.5, 0.3, 0.2}, {7}};
    const auto ratios = *rc::gen::elementOf(choices);
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    RC_ASSERT(iterative_stratification(testing::binary_rows(y, static_cast<Index>(labels)), ratios,
                                       seed) == PlainStratification(y, labels, ratios, seed).run());
  }));
}

TEST(IterativeStratification, IsTheSameOnEveryMachine) {
  const auto y = testing::binary_rows({{1, 0, 0},
                                       {1, 1, 0},
                                       {0, 1, 0},
                                       {0, 1, 1},
                                       {0, 0, 0},
                                       {1, 0, 1},
                                       {0, 1, 0},
                                       {1, 0, 0},
                                       {0, 0, 0},
                                       {1, 1, 1}});
  const std::vector<double> ratios = {0.5, 0.3, 0.2};
  EXPECT_THAT(iterative_stratification(y, ratios, 7),
              ::testing::ElementsAre(0, 2, 1, 2, 1, 1, 0, 0, 0, 0));
}

TEST(IterativeStratification, ChangesWithTheSeed) {
  const auto y = generated_labels(1);
  const std::vector<double> ratios = {1, 1};
  EXPECT_EQ(iterative_stratification(y, ratios, 1), iterative_stratification(y, ratios, 1));
  EXPECT_NE(iterative_stratification(y, ratios, 1), iterative_stratification(y, ratios, 2));
}

TEST(IterativeStratification, RatiosNeedNotSumToOne) {
  const auto y = generated_labels(2);
  EXPECT_EQ(iterative_stratification(y, std::vector<double>{1, 3}, 5),
            iterative_stratification(y, std::vector<double>{0.25, 0.75}, 5));
}

TEST(IterativeStratification, SplitsASingleLabelExactly) {
  // 37 of 100 rows have the label.
  Rows rows;
  for (int row = 0; row < 100; ++row) rows.push_back({row * 37 % 100 < 37 ? 1 : 0});
  const auto y = testing::binary_rows(rows);
  const std::vector<double> ratios = {0.6, 0.3, 0.1};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto parts = iterative_stratification(y, ratios, seed);
    for (Index part = 0; part < 3; ++part) {
      Index positives = 0;
      for (std::size_t row = 0; row < 100; ++row) {
        positives += parts[row] == part ? rows[row][0] : 0;
      }
      const double ratio = ratios[static_cast<std::size_t>(part)];
      EXPECT_LE(std::abs(static_cast<double>(positives) - 37 * ratio), 1);
      EXPECT_LE(std::abs(static_cast<double>(std::ranges::count(parts, part)) - 100 * ratio), 1);
    }
  }
}

TEST(IterativeStratification, PartsHaveTheSizesAskedFor) {
  const std::vector<double> ratios = {0.7, 0.2, 0.1};
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const auto counted = sizes(iterative_stratification(generated_labels(seed), ratios, seed), 3);
    // Labels are served before sizes, so a part may be off by a few rows.
    EXPECT_NEAR(static_cast<double>(counted[0]), 420, 6);
    EXPECT_NEAR(static_cast<double>(counted[1]), 120, 6);
    EXPECT_NEAR(static_cast<double>(counted[2]), 60, 6);
  }
}

TEST(IterativeStratification, SpreadsRowsWithoutLabels) {
  const std::vector<double> ratios(4, 1.0);
  EXPECT_THAT(sizes(iterative_stratification(testing::binary_rows(Rows(10, {0, 0})), ratios, 3), 4),
              ::testing::UnorderedElementsAre(2, 2, 3, 3));
  Rows half(40, {0});
  for (std::size_t row = 0; row < 20; ++row) half[row] = {1};
  const auto parts = iterative_stratification(testing::binary_rows(half), ratios, 3);
  const std::vector<Index> unlabelled(parts.begin() + 20, parts.end());
  EXPECT_THAT(sizes(unlabelled, 4), ::testing::Each(5));
}

TEST(IterativeStratification, LabelsWithEnoughPositivesReachEveryFold) {
  Index empty_pairs = 0;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const auto y = generated_labels(seed);
    const auto counts = column_counts(y);
    ASSERT_GE(*std::ranges::min_element(counts), 10);
    for (const auto& fold : stratified_k_fold_rows(y, 10, seed)) {
      empty_pairs += split_quality(y, fold).labels_missing_in_test;
    }
  }
  // Theory promises nothing; of 1500 pairs of fold and label none is empty here.
  EXPECT_EQ(empty_pairs, 0);
}

TEST(IterativeStratification, RefusesRatiosThatAreNotPositive) {
  const auto y = testing::binary_rows({{1}, {0}});
  const auto run = [&](std::vector<double> ratios) { iterative_stratification(y, ratios, 1); };
  EXPECT_THROW(run({}), UsageError);
  EXPECT_THROW(run({0.5, 0}), UsageError);
  EXPECT_THROW(run({0.5, -1}), UsageError);
  EXPECT_THROW(run({0.5, std::numeric_limits<double>::quiet_NaN()}), UsageError);
  EXPECT_THROW(run({0.5, std::numeric_limits<double>::infinity()}), UsageError);
}

}  // namespace
}  // namespace mugrad

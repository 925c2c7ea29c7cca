// SPDX-License-Identifier: MIT
// The statistics of rows that are no longer there, and of new ones.
#include "data/representation_update.h"

#include "support/linear_representations.h"
#include "support/random_problem.h"
#include "support/text_problem.h"

#include <mugrad/data/dataset.h>

#include <gtest/gtest.h>

namespace mugrad {
namespace {

void expect_near(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], 1e-12) << k;
}

void expect_alike(const Representation& a, const Representation& b) {
  expect_near(a.mean, b.mean);
  expect_near(a.deviation, b.deviation);
  expect_near(a.term_weight, b.term_weight);
  EXPECT_NEAR(a.row_length, b.row_length, 1e-12);
  EXPECT_NEAR(a.text_length, b.text_length, 1e-12);
  EXPECT_NEAR(a.beside_texts, b.beside_texts, 1e-12);
}

std::vector<Index> rows_from(Index begin, Index end) {
  std::vector<Index> rows;
  for (Index i = begin; i < end; ++i) rows.push_back(i);
  return rows;
}

TEST(UpdatedRepresentation, IsThatOfAllRows) {
  auto plain = testing::random_problem({.rows = 80, .features = 9, .feature_probability = 0.2}, 3);
  plain.x = testing::as_sparse(plain.x);
  for (const Dataset& data : {plain, testing::text_problem(80, 5)}) {
    const auto first = select_rows(data, rows_from(0, 60));
    const auto last = select_rows(data, rows_from(60, 80));
    for (const auto kind : testing::linear_representations()) {
      SCOPED_TRACE(to_string(kind));
      const auto before = fit_representation(first.x, kind, {}, data.term_blocks);
      expect_alike(updated(before, 60, last.x, {}),
                   fit_representation(data.x, kind, {}, data.term_blocks));
    }
  }
}

TEST(UpdatedRepresentation, WeighsRows) {
  auto data = testing::random_problem({.rows = 40, .features = 4}, 7);
  const auto first = select_rows(data, rows_from(0, 30));
  const auto last = select_rows(data, rows_from(30, 40));
  const std::vector<double> twice(10, 2);
  std::vector<Index> rows = rows_from(0, 40);
  for (const Index row : rows_from(30, 40)) rows.push_back(row);
  const auto before = fit_representation(first.x, RepresentationKind::zscore);
  expect_alike(updated(before, 30, last.x, twice),
               fit_representation(select_rows(data, rows).x, RepresentationKind::zscore));
}

TEST(MovedRepresentation, CountsNewTermsAmongAllRows) {
  const auto data = testing::text_problem(80, 5);
  const auto all = fit_representation(data.x, RepresentationKind::zscore, {}, data.term_blocks);
  // Without the last term of the first text.
  const Index left_out = data.term_blocks[0].first + data.term_blocks[0].count - 1;
  std::vector<Index> from;
  Representation before = all;
  before.mean.erase(before.mean.begin() + left_out);
  before.deviation.erase(before.deviation.begin() + left_out);
  before.term_weight.erase(before.term_weight.begin() + left_out);
  for (Index k = 0; k < data.features(); ++k) {
    from.push_back(k == left_out ? -1 : k - (k > left_out ? 1 : 0));
  }
  auto result = moved(before, {.from = from, .term_blocks = data.term_blocks, .rows_before = 20});
  EXPECT_EQ(result.mean[static_cast<std::size_t>(left_out)], 0);
  EXPECT_NEAR(result.term_weight[static_cast<std::size_t>(left_out)], std::log(21.0) + 1, 1e-12);
  const std::vector<Index> added = {left_out};
  set_statistics_of(added, 0, data.x, {}, result);
  expect_alike(result, all);
}

}  // namespace
}  // namespace mugrad

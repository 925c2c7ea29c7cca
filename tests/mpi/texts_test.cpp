// SPDX-License-Identifier: MIT
#include "mpi/data_part.h"
#include "mpi/rank_problem.h"
#include "mpi/the_world.h"
#include "support/text_problem.h"

#include <mugrad/data/representation.h>

#include <gtest/gtest.h>

#include <vector>

namespace mugrad::mpi {
namespace {

/// The part of a rank, whose rows follow each other in the data.
DataPart part_of(const Dataset& data, int number, int parts) {
  DataPart part{.number = as_size(Index{number})};
  for (int k = 0; k <= parts; ++k) part.starts.push_back(data.rows() * k / parts);
  std::vector<Index> mine;
  for (Index row = part.first_row(); row < part.starts[part.number + 1]; ++row) mine.push_back(row);
  part.data = select_rows(data, mine);
  part.whole = {.x = Matrix<double>(data.rows(), 0), .y = data.y};
  return part;
}

TEST(TextsOnRanks, AreRepresentedAsInOneProcess) {
  const auto& ranks = testing::all_ranks();
  const Dataset data = testing::text_problem(60, 3);
  const Grid grid(ranks, ranks.size());
  const DataPart part = part_of(data, ranks.rank(), ranks.size());
  for (const auto kind : {RepresentationKind::zscore, RepresentationKind::none,
                          RepresentationKind::unit, RepresentationKind::unit_row}) {
    const auto expected = fit_representation(data.x, kind, {}, data.term_blocks, 3);
    const RankProblem<double> problem(grid, part,
                                      {.representation = kind, .text_weight = 3, .threads = {1}});
    const Representation& found = problem.representation();
    EXPECT_EQ(found.term_blocks, expected.term_blocks);
    EXPECT_EQ(found.term_weight, expected.term_weight);
    EXPECT_EQ(found.row_length, expected.row_length);
    EXPECT_DOUBLE_EQ(found.text_length, expected.text_length);
    EXPECT_NEAR(found.beside_texts, expected.beside_texts, 1e-12);
    for (std::size_t k = 0; k < expected.mean.size(); ++k) {
      EXPECT_NEAR(found.deviation[k], expected.deviation[k], 1e-12);
    }
  }
}

}  // namespace
}  // namespace mugrad::mpi

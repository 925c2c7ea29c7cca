// SPDX-License-Identifier: MIT
// Learned relations and Gaussian features under mpirun are those of one process.
#include "mpi/ranks_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mugrad::testing {
namespace {

using ::testing::HasSubstr;

class LearnedRelationsOnRanks : public Ranks {
 protected:
  /// More labels than fit into one block of columns, so that ranks compare blocks of others.
  void make_many_labels() const {
    make_data("data.xmc", {"--rows", "300", "--features", "20", "--labels", "150", "--density",
                           "0.5", "--cardinality", "5"});
  }
  /// The same labels are related, with the same strengths but for the accuracy of the weights.
  void expect_same_relations(const std::string& first, const std::string& second) const {
    const auto expected = Model::load(folder_ / first).contents().relations;
    const auto found = Model::load(folder_ / second).contents().relations;
    EXPECT_EQ(found.row_start, expected.row_start) << second;
    ASSERT_EQ(found.column, expected.column) << second;
    for (std::size_t k = 0; k < found.value.size(); ++k) {
      EXPECT_NEAR(found.value[k], expected.value[k], 1e-5) << second;
    }
  }
};

TEST_F(LearnedRelationsOnRanks, FromWeightsAreThoseOfOneProcess) {
  make_many_labels();
  const std::vector<std::string> options = {"--transfer", "weights", "--sigma", "0.3"};
  expect_same_on_ranks("data.xmc", options,
                       {.ranks = {1, 2, 3, 4}, .row_shards = {{2, 2}, {4, 2}}});
  const auto alone = Model::load(folder_ / "alone");
  EXPECT_GT(alone.contents().relations.nonzeros(), alone.labels());
  expect_same_relations("alone", "on-3");
  expect_same_relations("alone", "rows-4-2");
  EXPECT_EQ(Model::load(folder_ / "on-3").contents().options, alone.contents().options);
  EXPECT_GT(trained("data.xmc", "again", 3, options)["bytes_exchanged"], 0);
}

TEST_F(LearnedRelationsOnRanks, FromPredictionsAreThoseOfOneProcess) {
  make_many_labels();
  expect_same_on_ranks("data.xmc", {"--transfer", "predicted", "--sigma", "0.3"},
                       {.ranks = {1, 3}, .row_shards = {{2, 2}, {4, 2}}});
  expect_same_relations("alone", "on-3");
  expect_same_relations("alone", "rows-4-2");
}

TEST_F(LearnedRelationsOnRanks, TakeTheirOptionsIntoAccount) {
  make_data("small.arff", {"--rows", "160", "--features", "8", "--labels", "7"});
  expect_same_on_ranks("small.arff",
                       {"--transfer", "weights", "--neighbours", "2", "--transfer-intercept",
                        "--sigma-ratio", "3", "--loss", "squared", "--rho", "0.1"},
                       {.ranks = {1, 3}, .row_shards = {{2, 2}}});
  expect_same_relations("alone", "on-3");
  // Without transfer nothing is learned.
  expect_same_on_ranks("small.arff", {"--transfer", "weights", "--sigma", "0"},
                       {.ranks = {2}, .row_shards = {}});
  EXPECT_EQ(Model::load(folder_ / "on-2").contents().relations.nonzeros(), 7);
}

TEST_F(LearnedRelationsOnRanks, AreTheSameBytesInSinglePrecision) {
  make_many_labels();
  for (const char* const transfer : {"weights", "predicted"}) {
    trained("data.xmc", "on-1", 1, {"--transfer", transfer});
    trained("data.xmc", "on-4", 4, {"--transfer", transfer});
    EXPECT_TRUE(bytes("on-1") == bytes("on-4")) << transfer;
  }
}

class GaussianFeaturesOnRanks : public Ranks {
 protected:
  void make_usual_data() const {
    make_data("data.arff", {"--rows", "200", "--features", "6", "--labels", "9"});
  }
};

TEST_F(GaussianFeaturesOnRanks, AreThoseOfOneProcess) {
  make_usual_data();
  expect_same_on_ranks("data.arff", {"--representation", "gaussian", "--centres", "40"},
                       {.ranks = {1, 2, 4}, .row_shards = {}});
  const auto alone = Model::load(folder_ / "alone");
  const auto shared = Model::load(folder_ / "on-4");
  EXPECT_EQ(shared.contents().representation, alone.contents().representation);
  EXPECT_EQ(shared.contents().options, alone.contents().options);
}

TEST_F(GaussianFeaturesOnRanks, WorkWithLearnedRelations) {
  make_usual_data();
  for (const char* const transfer : {"weights", "predicted"}) {
    expect_same_on_ranks(
        "data.arff", {"--representation", "gaussian", "--centres", "30", "--transfer", transfer},
        {.ranks = {1, 3}, .row_shards = {}});
  }
}

TEST_F(GaussianFeaturesOnRanks, NeedAllRowsOnEveryRank) {
  make_usual_data();
  const auto refused =
      run({"train", "data.arff", "--representation", "gaussian", "--row-shards", "2"}, 2);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("Gaussian features need all examples on every rank: use "
                                     "--row-shards 1"));
}

}  // namespace
}  // namespace mugrad::testing

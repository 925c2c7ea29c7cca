// SPDX-License-Identifier: MIT
// The program under mpirun: what several ranks train is what one process does.
#include "cli/scored_rows.h"
#include "mpi/ranks_fixture.h"
#include "support/compressed.h"
#include "support/program.h"
#include "support/sanitizers.h"

#include <mugrad/data/catalog.h>
#include <mugrad/data/files.h>
#include <mugrad/model/model.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <optional>
#include <sstream>

namespace mugrad::testing {
namespace {

using ::testing::HasSubstr;

class PublishedSetsOnRanks : public Ranks {
 protected:
  void expect_same_on_ranks_of(std::string_view name, const std::vector<std::string>& options,
                               const Grids& grids) {
    const auto path = find_local(*find_in_catalog(name));
    if (!path) GTEST_SKIP() << name << " is not on this machine: mugrad fetch " << name;
    expect_same_on_ranks(path->string(), options, grids);
  }
};

TEST_F(PublishedSetsOnRanks, EmotionsIsTheSame) {
  expect_same_on_ranks_of("emotions", {}, Grids());
}
TEST_F(PublishedSetsOnRanks, EnronIsTheSame) {
  expect_same_on_ranks_of("enron", {"--rho", "0.1"}, {.row_shards = {{2, 2}, {3, 3}, {4, 2}}});
}
// Folds would take two thirds of the time; those of smaller sets are compared.
const std::vector<std::string> kBibtex = {"--rho",        "1",   "--neighbours", "10",
                                          "--thresholds", "keep"};
TEST_F(PublishedSetsOnRanks, BibtexIsTheSameWithLabelsShared) {
  expect_same_on_ranks_of("bibtex", kBibtex, {.row_shards = {}});
}
TEST_F(PublishedSetsOnRanks, BibtexIsTheSameWithRowsShared) {
  expect_same_on_ranks_of("bibtex", kBibtex, {.ranks = {}, .row_shards = {{2, 2}, {3, 3}, {4, 2}}});
}
TEST_F(PublishedSetsOnRanks, FiveThousandLabelsAreTheSame) {
  make_data("many.xmc", {"--rows", "600", "--features", "40", "--labels", "5000", "--density",
                         "0.3", "--cardinality", "20"});
  expect_same_on_ranks("many.xmc", {"--neighbours", "5", "--rho", "0.1", "--thresholds", "keep"},
                       {.row_shards = {{2, 2}, {3, 3}, {4, 2}}});
}

TEST_F(Ranks, WriteTheSameBytesInSinglePrecisionToo) {
  make_data("data.xmc", {"--rows", "300", "--features", "40", "--labels", "90", "--density", "0.4",
                         "--cardinality", "6"});
  trained("data.xmc", "on-1", 1, {"--neighbours", "6"});
  for (const int ranks : {2, 3, 4}) {
    const auto report = trained("data.xmc", "on-many", ranks, {"--neighbours", "6"});
    EXPECT_GT(report["bytes_exchanged"], 0);
    EXPECT_TRUE(bytes("on-1") == bytes("on-many")) << ranks << " ranks";
  }
}

TEST_F(Ranks, MoreThanThereAreLabelsTrainTheSame) {
  make_data("few.arff", {"--rows", "200", "--features", "8", "--labels", "3"});
  expect_same_on_ranks("few.arff", {}, {.ranks = {1, 4, 5}, .row_shards = {{8, 2}}});
}

TEST(ScoredRows, OfAllRanksTogetherFitIntoOneMessage) {
  constexpr double kBytesOfAScore = 64;  // in the longest form, JSON with a short name
  constexpr double kMost = 2147483647;
  for (const Index labels : {1, 6, 1000, 5000, 100'000}) {
    for (const int ranks : {1, 2, 128, 1024, 16384}) {
      const auto rows = cli::scored_rows(labels, ranks);
      EXPECT_GE(rows, 1);
      // Where a row of each is too much already, there is no way out.
      if (rows == 1) continue;
      EXPECT_LE(static_cast<double>(rows * labels) * ranks * kBytesOfAScore, kMost)
          << labels << " labels, " << ranks << " ranks";
    }
  }
}

TEST_F(Ranks, ReadCompressedFilesAndNoStandardInput) {
  make_data("data.xmc", {"--rows", "200", "--features", "8", "--labels", "6"});
  folder_.write("data.xmc.gz", gzip(bytes("data.xmc")));
  for (const std::string shards : {"1", "2"}) {
    trained("data.xmc", "plain", 2, {"--row-shards", shards});
    trained("data.xmc.gz", "compressed", 2, {"--row-shards", shards});
    EXPECT_TRUE(bytes("compressed") == bytes("plain")) << shards;
  }
  const auto result = run({"predict", "plain", "-"}, 2);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(
      result.err.substr(0, result.err.find('\n')),
      "mugrad: standard input cannot be read under mpirun, because every rank reads the data: "
      "write it to a file");
}

TEST_F(Ranks, OptionsOfTheObjectiveMeanTheSame) {
  make_data("small.arff", {"--rows", "160", "--features", "8", "--labels", "7"});
  expect_same_on_ranks(
      "small.arff", {"--loss", "squared", "--positive-weight", "2", "--transfer-intercept", "--l1",
                     "0.01", "--l1-sharpness", "10", "--rho", "0.1", "--transfer", "jaccard"});
}

TEST_F(Ranks, WithoutTransferNothingIsExchanged) {
  make_data("small.xmc", {"--rows", "160", "--features", "8", "--labels", "9", "--density", "0.5"});
  expect_same_on_ranks("small.xmc", {"--sigma", "0"});
  const auto report = trained("small.xmc", "again", 3, {"--sigma", "0"});
  EXPECT_EQ(report["bytes_exchanged"], 0);
}

TEST_F(Ranks, BytesExchangedAreThoseOfTheFormula) {
  constexpr Index kFeatures = 30;
  make_data("data.xmc", {"--rows", "300", "--features", std::to_string(kFeatures), "--labels", "80",
                         "--density", "0.5"});
  for (const bool own_intercepts : {true, false}) {
    std::vector<std::string> options = {"--neighbours", "4"};
    if (!own_intercepts) options.emplace_back("--transfer-intercept");
    const auto report = trained("data.xmc", "model", 3, options);
    const Index columns = report["exchanged_columns"];
    const Index parameters = kFeatures + (own_intercepts ? 0 : 1);
    ASSERT_GT(columns, 0);
    EXPECT_EQ(report["bytes_per_exchange"], columns * parameters * 4);
    EXPECT_EQ(report["bytes_exchanged"],
              report["exchanges"].get<Index>() * columns * parameters * 4);
    // One to learn what the tolerance is relative to, and one per round after it.
    EXPECT_EQ(report["exchanges"].get<Index>(), report["rounds"].get<Index>() + 2);
  }
}

class WholeCosineOnRanks : public Ranks {
 protected:
  static constexpr Index kFeatures = 50;
  static constexpr Index kLabels = 200;  ///< that occur

  /// Few examples with many labels, of which most go together. Between any two of them there are
  /// nine that never occur.
  void make_few_examples() const {
    make_data("packed.xmc", {"--rows", "60", "--features", std::to_string(kFeatures), "--labels",
                             std::to_string(kLabels), "--density", "0.3", "--cardinality", "20"});
    std::istringstream packed(bytes("packed.xmc"));
    std::string line;
    std::getline(packed, line);
    std::string spread = line + "0\n";
    while (std::getline(packed, line)) {
      const auto labels = line.substr(0, line.find(' '));
      for (const char character : labels)
        spread += character == ',' ? "0," : std::string(1, character);
      spread += "0" + line.substr(labels.size()) + "\n";
    }
    folder_.write("few.xmc", spread);
  }
};

TEST_F(WholeCosineOnRanks, IsTheSameBySums) {
  make_few_examples();
  EXPECT_EQ(trained("few.xmc", "model", 2)["exchange"], "sums");
  expect_same_on_ranks("few.xmc", {"--rho", "0.1"}, {.row_shards = {{2, 2}, {4, 2}}});
  // Each rank wrote some rows of the relations: what one process writes, to the last bit.
  const auto alone = Model::load(folder_ / "alone");
  EXPECT_EQ(std::ssize(alone.contents().report.constant_labels), 9 * kLabels);
  EXPECT_EQ(Model::load(folder_ / "on-3").contents().relations, alone.contents().relations);

  expect_same_on_ranks("few.xmc", {"--rho", "0.1", "--transfer-intercept"},
                       {.ranks = {1, 3}, .row_shards = {}});
}

TEST_F(WholeCosineOnRanks, BytesExchangedAreThoseOfTheFormula) {
  make_few_examples();
  for (const bool own_intercepts : {true, false}) {
    for (const int ranks : {1, 2, 3, 4}) {
      std::vector<std::string> options = {"--rho", "0.1"};
      if (!own_intercepts) options.emplace_back("--transfer-intercept");
      const auto report = trained("few.xmc", "model", ranks, options);
      ASSERT_EQ(report["exchange"], "sums");
      const Index parameters = kFeatures + (own_intercepts ? 0 : 1);
      const auto expected = static_cast<double>(2 * (ranks - 1) * kLabels * parameters * 4) / ranks;
      EXPECT_NEAR(report["bytes_per_exchange"].get<double>(), expected, 0.01 * expected);
      EXPECT_EQ(report["bytes_exchanged"].get<Index>(),
                report["exchanges"].get<Index>() * report["bytes_per_exchange"].get<Index>());
    }
  }
}

TEST_F(WholeCosineOnRanks, NoRankHasRoomForAMatrixOfAllLabels) {
#ifdef MUGRAD_SANITIZED
  GTEST_SKIP() << "sanitizers take memory of their own";
#endif
  make_data("few.xmc", {"--rows", "200", "--features", "5", "--labels", "3000", "--density", "0.9",
                        "--cardinality", "300"});
  const auto report = trained("few.xmc", "model", 2, {"--iterations", "2", "--thresholds", "keep"});
  EXPECT_EQ(report["exchange"], "sums");
  const auto model = Model::load(folder_ / "model");
  const auto& relations = model.contents().relations;
  const auto matrix = relations.nonzeros() * static_cast<Index>(sizeof(double) + sizeof(LabelId));
  for (const Index peak : report["peak_bytes"]) EXPECT_LT(peak, matrix);
}

TEST_F(WholeCosineOnRanks, IsInColumnsWhereLabelsAreRelatedToFew) {
  make_data("many.xmc",
            {"--rows", "400", "--features", "10", "--labels", "60", "--density", "0.5"});
  EXPECT_EQ(trained("many.xmc", "model", 2)["exchange"], "columns");
  EXPECT_EQ(trained("many.xmc", "model", 2, {"--sigma", "0"})["exchange"], "none");
}

TEST_F(Ranks, WithRowsSharedTooReceiveEachColumnOncePerShard) {
  make_data("data.xmc",
            {"--rows", "300", "--features", "30", "--labels", "80", "--density", "0.5"});
  const auto labels_alone = trained("data.xmc", "model", 2, {"--neighbours", "4"});
  const auto both = trained("data.xmc", "model", 4, {"--neighbours", "4", "--row-shards", "2"});
  for (const char* count : {"exchanged_columns", "bytes_per_exchange"}) {
    ASSERT_GT(labels_alone[count], 0);
    EXPECT_EQ(both[count], 2 * labels_alone[count].get<Index>()) << count;
  }
  EXPECT_EQ(both["bytes_exchanged"],
            both["exchanges"].get<Index>() * both["bytes_per_exchange"].get<Index>());
}

TEST_F(Ranks, BytesSummedOverSharedRowsAreThoseOfTheFormula) {
  constexpr Index kFeatures = 200;
  make_data("data.xmc", {"--rows", "300", "--features", std::to_string(kFeatures), "--labels", "80",
                         "--density", "0.5", "--cardinality", "8"});
  for (const Index shards : {2, 4}) {
    const auto report = trained("data.xmc", "model", 4,
                                {"--neighbours", "4", "--row-shards", std::to_string(shards),
                                 "--tolerance", "1e-6", "--precision", "double"});
    // Each gradient of a label goes round the ranks that share its rows, once to be added up and
    // once to be known to all; with it goes the curvature of its loss, from each to each. At the
    // end there is another, with the values.
    const Index gradients = report["gradients"].get<Index>() + 80;
    const Index numbers = 2 * (shards - 1) * (kFeatures + 1) + shards * (shards - 1);
    const auto expected = static_cast<double>(8 * numbers * gradients);
    EXPECT_NEAR(report["bytes_summed"].get<double>() / expected, 1, 0.01);
  }
}

TEST_F(Ranks, TakeNoMoreIterationsPerLabelThanAllowed) {
  constexpr Index kLabels = 80;
  make_data("data.xmc", {"--rows", "300", "--features", "30", "--labels", std::to_string(kLabels),
                         "--density", "0.5"});
  for (const Index iterations : {1, 2, 5}) {
    const std::vector<std::string> options = {
        "--neighbours", "4",    "--tolerance",  "1e-9",
        "--rho",        "1e-4", "--iterations", std::to_string(iterations)};
    const auto report = trained("data.xmc", "model", 2, options);
    EXPECT_EQ(report["report"]["stop"], "iteration-limit");
    // One where a run starts and one where it ends, and in a round one where a label starts; every
    // round counts for an iteration at least.
    EXPECT_LE(report["gradients"], kLabels * (2 * iterations + 2));
  }
}

TEST_F(Ranks, EachHoldsLittleOfWhatOneProcessDoes) {
#ifdef MUGRAD_SANITIZED
  GTEST_SKIP() << "sanitizers take memory of their own";
#endif
  // Iterations are limited: what is held does not depend on how many there are.
  make_data("many.xmc", {"--rows", "1500", "--features", "500", "--labels", "5000", "--density",
                         "0.05", "--cardinality", "20"});
  const std::vector<std::string> options = {"--neighbours", "10",  "--iterations", "8",
                                            "--thresholds", "keep"};
  std::vector<std::string> alone = {"train", "many.xmc", "-o", "alone"};
  alone.insert(alone.end(), options.begin(), options.end());
  const auto one = run(alone);
  ASSERT_EQ(one.exit_code, 0) << one.err;
  const auto report = trained("many.xmc", "shared", 4, options);
  for (const std::size_t peak : report["peak_bytes"]) {
    EXPECT_LE(static_cast<double>(peak), 0.35 * static_cast<double>(one.peak_bytes));
  }
}

TEST_F(Ranks, PredictEvaluateAndTuneAsOneProcessDoes) {
  make_data("data.xmc",
            {"--rows", "5000", "--features", "10", "--labels", "6", "--density", "0.9"});
  out_of({"train", "data.xmc", "-o", "model"});
  for (const auto& arguments :
       std::vector<std::vector<std::string>>{{"predict", "model", "data.xmc", "--scores"},
                                             {"predict", "model", "data.xmc", "--top-k", "2"},
                                             {"predict", "model", "data.xmc", "--json"},
                                             {"evaluate", "model", "data.xmc", "--per-label"},
                                             {"tune", "data.xmc", "--rho", "0.1,1", "--sigma",
                                              "0,0.1,1", "--json", "--method", "mgd"}}) {
    EXPECT_EQ(out_of(arguments), out_of(arguments, 3)) << arguments.front();
  }
  out_of({"predict", "model", "data.xmc", "-o", "one.csv"});
  out_of({"predict", "model", "data.xmc", "-o", "many.csv"}, 3);
  EXPECT_EQ(bytes("one.csv"), bytes("many.csv"));
}

TEST_F(Ranks, SpeakWithOneVoice) {
  make_data("data.arff", {"--rows", "100", "--features", "5", "--labels", "5"});
  const auto result = run({"train", "data.arff", "-o", "model"}, 3);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const auto times = [](const std::string& text, const std::string& what) {
    int count = 0;
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
    return count;
  };
  EXPECT_EQ(times(result.out, "trained on 100 examples"), 1) << result.out;
  EXPECT_EQ(times(result.err, "by 3 ranks"), 1) << result.err;

  const auto wrong = run({"train", "data.arff", "--sigma", "-1"}, 3);
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_EQ(times(wrong.err, "sigma must be >= 0"), 1) << wrong.err;
}

TEST_F(Ranks, ShowOneProgressLine) {
  make_data("data.arff", {"--rows", "100", "--features", "5", "--labels", "5"});
  // Iterates of folds are not shown.
  const auto result =
      run_mugrad_on_terminal({"train", "data.arff", "-o", "model", "--thresholds", "keep"},
                             [](const std::string&) { return std::nullopt; },
                             {.folder = folder_.path(), .environment = {}, .ranks = 3});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  // The start is always shown, whatever time has passed.
  const auto first = result.err.find("iteration 0, residual");
  EXPECT_NE(first, std::string::npos) << result.err;
  EXPECT_EQ(result.err.find("iteration 0, residual", first + 1), std::string::npos) << result.err;
}

TEST_F(Ranks, OneAloneRunsEveryCommand) {
  make_data("data.arff", {"--rows", "100", "--features", "5", "--labels", "5"});
  EXPECT_EQ(out_of({"info", "data.arff"}, 1), out_of({"info", "data.arff"}));
}

TEST_F(Ranks, WriteTheModelThatALinkPointsTo) {
  make_data("data.arff", {"--rows", "100", "--features", "5", "--labels", "5"});
  std::filesystem::create_symlink("there", folder_ / "here");
  out_of({"train", "data.arff", "-o", "here"}, 2);
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "here"));
  EXPECT_EQ(Model::load(folder_ / "there").labels(), 5);
}

TEST_F(Ranks, RefuseWhatTheyCannotShare) {
  make_data("data.arff", {"--rows", "100", "--features", "5", "--labels", "5"});
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& why) {
    const auto result = run(arguments, 2);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_THAT(result.err, HasSubstr(why));
  };
  refused({"info", "data.arff"}, "info cannot run under mpirun");
  refused({"train", "data.arff", "--method", "br"}, "only mgd can be trained under mpirun, not br");
  refused({"train", "data.arff", "--auto"}, "--auto cannot be used under mpirun");
  refused({"train", "data.arff", "--trace", "t.csv"}, "--trace cannot be used under mpirun");
  refused({"train", "data.arff", "--solver", "plain"}, "plain solver runs in one process");
  refused({"train", "data.arff", "--row-shards", "3"}, "must divide that of the ranks, 2; got 3");
  const auto alone = run({"train", "data.arff", "--row-shards", "2"});
  EXPECT_EQ(alone.exit_code, 2);
  EXPECT_THAT(alone.err, HasSubstr("can only be used under mpirun"));
}

TEST_F(Ranks, OneThatFailsAloneEndsTheJobAndIsNamed) {
  // The blocks of rows take turns, so that a broken last line is one rank's alone.
  make_data("data.xmc", {"--rows", "200", "--features", "5", "--labels", "5", "--density", "0.9"});
  auto text = bytes("data.xmc");
  text.replace(text.rfind('\n', text.size() - 2) + 1, std::string::npos, "0 broken\n");
  folder_.write("data.xmc", text);
  const auto result = run({"train", "data.xmc", "--row-shards", "2"}, 2);
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.err, HasSubstr("rank 0 of 2: data.xmc:201:3: 'broken'"));
}

}  // namespace
}  // namespace mugrad::testing

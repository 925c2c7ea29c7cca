// SPDX-License-Identifier: MIT
#include "support/data_files.h"

#include <mugrad/core/error.h>
#include <mugrad/data/files.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace mugrad {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A row with all that is known of it; NaN as text, since it equals nothing.
std::vector<std::string> described(const Dataset& data, Index row, Index features) {
  std::vector<std::string> result;
  auto values = testing::row_of(data.x, row);
  values.resize(static_cast<std::size_t>(features), 0);
  for (const double value : values) result.push_back(fmt::format("{}", value));
  for (const LabelId label : data.y.row(row)) result.push_back(fmt::format("l{}", label));
  for (const LabelId label : data.unknown_of(row)) result.push_back(fmt::format("?{}", label));
  return result;
}

class Blocks : public ::testing::Test {
 protected:
  /// Reads the file whole and in blocks of every size: the same rows, names, storage and notes.
  void expect_same(std::string_view name, const std::string& content, ReadOptions options = {}) {
    const auto whole = files.read(name, content, options);
    const auto notes = files.notes;
    for (Index size = 1; size <= whole.rows() + 1; ++size) {
      files.notes.clear();
      options.note = [this](const std::string& note) { files.notes.push_back(note); };
      BlockReader reader(files / name, options, size);
      Index rows = 0;
      for (Dataset block; reader.next(block); rows += block.rows()) {
        ASSERT_LE(block.rows(), size);
        ASSERT_EQ(block.x.is_sparse(), whole.x.is_sparse());
        ASSERT_EQ(block.feature_names, whole.feature_names);
        ASSERT_EQ(block.label_names, whole.label_names);
        for (Index row = 0; row < block.rows(); ++row) {
          ASSERT_EQ(described(block, row, whole.features()),
                    described(whole, rows + row, whole.features()))
              << "row " << rows + row << " in blocks of " << size;
        }
      }
      EXPECT_EQ(rows, whole.rows()) << size;
      EXPECT_EQ(files.notes, notes) << size;
      EXPECT_EQ(reader.share_read(), 1) << size;
    }
  }

  /// The error is the same whole and in blocks.
  void expect_same_error(std::string_view name, const std::string& content,
                         std::string_view words) {
    const auto whole = files.error(name, content, {.missing = Missing::refuse});
    EXPECT_THAT(whole, HasSubstr(words));
    for (Index size = 1; size <= 5; ++size) {
      EXPECT_EQ(files.error_of([&] {
        BlockReader reader(files / name, {}, size);
        for (Dataset block; reader.next(block);) continue;
      }),
                whole)
          << size;
    }
  }

  testing::DataFiles files;
};

TEST_F(Blocks, OfLibsvmAreTheFile) {
  expect_same("a.svm", "0,2 1:1 3:2\n# c\n 2:4\n\n1 5:1 4:2\n2:1\n3\n");
  expect_same("a.svm", "0 1:1\n0 9:1\n0 1:0\n", {.label_count = 4});
}

TEST_F(Blocks, OfXmcAreTheFile) {
  expect_same("a.txt", "4 6 3\n0,2 0:1 5:2\n\n1 # c\n# c\n2 3:1\n");
}

TEST_F(Blocks, OfArffTurnSparseForASparseRowAnywhere) {
  const std::string header =
      "@relation 'r: -C -1'\n@attribute x numeric\n@attribute z {0,1}\n"
      "@attribute y {0,1}\n@data\n";
  expect_same("a.arff", header + "1,0,1\n2,1,0\n% c\n\n3,1,?\n4,0,1\n");
  expect_same("a.arff", header + "1,0,1\n2,1,0\n3,1,1\n{0 4,2 1}\n5,0,1\n");
  expect_same("a.arff", header + "{0 4,2 1}\n1,0,1\n2,1,0\n{}\n");
}

TEST_F(Blocks, OfNominalsAreEncodedByTheValuesOfAllRows) {
  const std::string header =
      "@relation 'r: -C -1'\n@attribute c {red,green,blue}\n@attribute id string\n"
      "@attribute s string\n@attribute y {0,1}\n@data\n";
  expect_same("a.arff", header + "red,a,u,1\nblue,b,v,0\ngreen,c,u,1\nred,d,t,1\n{0 blue,1 e}\n");
  expect_same("a.arff", header + "red,a,u,1\nred,b,v,0\nblue,d,t,1\n",
              {.encode_like = {"c=green", "c=blue", "s=t"}});
}

TEST_F(Blocks, OfCsvTakeAColumnForWhatItIsAsAWhole) {
  expect_same("a.csv", "x,z,n,y\n1,2,3,1\n2,no,4,0\n3,YES,five,1\n4,no,6,0\n", {.label_count = -1});
  expect_same("a.csv", "x,z,y\n1,2,1\n,5,0\n3,,\n4,4,1\n",
              {.label_count = -1, .missing = Missing::keep});
}

TEST_F(Blocks, OfCsvWithDecimalCommasAreTheFile) {
  expect_same("a.csv", "x;z;y\n1;2,5;1\n2,5;3;0\n3;;1\n4;4;0\n",
              {.label_count = -1, .missing = Missing::keep});
}

TEST_F(Blocks, OfJsonLinesHaveTheKeysOfAllRecords) {
  expect_same("a.jsonl",
              "{\"x\":1,\"y\":1}\n{\"y\":0,\"c\":{\"d\":\"u\"}}\n\n{\"x\":3,\"y\":null}\n"
              "{\"c\":{\"d\":\"v\",\"e\":[1,\"a\"]},\"y\":1}\n{\"late\":7}\n",
              {.label_columns = {"y"}, .keep_ids = true, .missing = Missing::keep});
  // Each key occurs in the record of its own number, and in no other.
  expect_same("b.jsonl", "{\"a\":1}\n{\"b\":1}\n{\"c\":1}\n{\"d\":1}\n",
              {.labels_optional = true, .missing = Missing::keep});
}

TEST_F(Blocks, NamesThatAreNotUtf8AreNotedOnce) {
  expect_same("a.csv", "M\xfcsli,y\n1,1\n2,0\n3,1\n", {.label_count = -1});
}

TEST_F(Blocks, FailAsTheFileDoes) {
  expect_same_error("a.svm", "0 1:1\n0 1:1\n0 1:x\n", "a.svm:3:3");
  expect_same_error("a.svm", " 1:1\n 2:1\n", "no example has a label");
  expect_same_error("a.svm", "# nothing\n", "a.svm");
  expect_same_error("a.txt", "3 4 5\n0 1:1\n1 1:1\n", "promises 3 examples");
  expect_same_error("a.txt", "2 4 5\n0 1:1\n1 1:1\n2 1:1\n", "has more");
  const std::string header =
      "@relation 'r: -C -1'\n@attribute x numeric\n@attribute y {0,1}\n@data\n";
  expect_same_error("a.arff", header + "1,1\n2,0\n3,1\n?,1\n", "a.arff:8:1");
  expect_same_error("a.arff", header, "no examples");
  expect_same_error("a.jsonl", "{\"x\":1}\n{\"x\":2}\n{\"x\":}\n", "a.jsonl:3:6");
}

TEST_F(Blocks, ThatAreSkippedLeaveTheOthersAsTheyWere) {
  const std::pair<std::string, std::string> contents[] = {
      {"a.xmc", "5 3 2\n0 0:1\n# a comment\n1 1:2\n0,1 2:3\n 0:4\n1 1:5\n"},
      {"a.libsvm", "0 1:1\n\n1 2:2 # a comment\n0,1 3:3\n# nothing\n0 1:4\n1 2:5\n"},
      {"a.csv", "x,l\n1,0\n2,1\n3,0\n4,1\n5,1\n"}};
  for (const auto& [name, content] : contents) {
    const ReadOptions options = name == "a.csv" ? ReadOptions{.label_count = -1} : ReadOptions{};
    const auto whole = files.read(name, content, options);
    for (Index size = 1; size <= 3; ++size) {
      for (const Index kept : {0, 1}) {
        BlockReader reader(files / name, options, size);
        Dataset block;
        Index row = 0;
        for (Index number = 0;; ++number) {
          if (number % 2 != kept) {
            if (!reader.skip()) break;
            row = std::min(row + size, whole.rows());
            continue;
          }
          if (!reader.next(block)) break;
          for (Index k = 0; k < block.rows(); ++k, ++row) {
            EXPECT_EQ(described(block, k, whole.features()),
                      described(whole, row, whole.features()))
                << name << " in blocks of " << size;
          }
        }
        EXPECT_EQ(row, whole.rows()) << name << " in blocks of " << size;
      }
    }
  }
}

TEST_F(Blocks, ThatAreSkippedCountForWhatTheFirstLinePromises) {
  files.write("a.xmc", "3 2 2\n0 0:1\n1 1:2\n");
  BlockReader reader(files / "a.xmc", {}, 2);
  EXPECT_TRUE(reader.skip());
  EXPECT_THAT([&] { reader.skip(); },
              ::testing::ThrowsMessage<InputError>(HasSubstr("promises 3 examples")));
}

TEST_F(Blocks, MeansOfAllRowsAreRefused) {
  files.write("a.svm", "0 1:1\n");
  EXPECT_THROW(BlockReader(files / "a.svm", {.missing = Missing::mean}), UsageError);
}

TEST_F(Blocks, ValuesTheModelKnowsAreFoundAmongAnyNumberOfOthers) {
  std::string text = "id,c,y\n";
  for (int k = 0; k < 300; ++k) text += fmt::format("r{0},v{0},0\n", k);
  const ReadOptions options{.label_count = -1, .encode_like = {"c=v250", "c=v3"}};
  const auto data = files.read("a.csv", text, options);
  EXPECT_THAT(data.feature_names, ElementsAre("c=v250", "c=v3"));
  for (Index row = 0; row < data.rows(); ++row) {
    ASSERT_THAT(testing::row_of(data.x, row), ElementsAre(row == 250 ? 1 : 0, row == 3 ? 1 : 0));
  }
  EXPECT_THAT(files.notes, ElementsAre(HasSubstr("ignored 1 of"), HasSubstr("such as 'v0'")));
}

}  // namespace
}  // namespace mugrad

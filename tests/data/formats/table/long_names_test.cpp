// SPDX-License-Identifier: MIT
// Names of columns are repeated in those of features, so that there is a limit to their length.
#include "support/data_files.h"

#include <mugrad/core/error.h>
#include <mugrad/data/files.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mugrad {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::size_t kLongest = 4096;

class LongNames : public ::testing::Test {
 protected:
  testing::DataFiles files;
  const ReadOptions without_labels = {.labels_optional = true};
  const std::string longest = std::string(kLongest, 'n');
  const std::string too_long = longest + "n";
};

TEST_F(LongNames, AreRefusedByEveryFormatWithNames) {
  const std::string expected = fmt::format(
      "the name of a column has 4097 bytes, expected at most 4096: '{}...'", longest.substr(0, 60));
  EXPECT_EQ(files.error("a.csv", "x," + too_long + "\n1,2\n", without_labels),
            "a.csv:1:3: " + expected);
  EXPECT_EQ(files.error("a.arff", "@relation r\n@attribute " + too_long + " numeric\n@data\n1\n",
                        without_labels),
            "a.arff:2:12: " + expected);
  EXPECT_EQ(files.error("a.jsonl", "{}\n{\"" + too_long + "\":1}\n", without_labels),
            "a.jsonl:2:2: " + expected);
  const std::vector<double> values = {1, 2};
  EXPECT_EQ(files.error_of([&] {
    read_table(std::vector<TableColumn>{{.name = too_long, .values = values}}, without_labels);
  }),
            "the table: " + expected);
}

TEST_F(LongNames, OfNestedKeysAreTheNamesOfTheirColumns) {
  const auto nested = [](const std::string& one, const std::string& other) {
    return fmt::format("{{\"{}\":{{\"{}\":1}}}}\n", one, other);
  };
  const auto half = longest.substr(0, kLongest / 2);
  EXPECT_THAT(files.error("a.jsonl", nested(half, half), without_labels),
              AllOf(StartsWith("a.jsonl:1:2054: "), HasSubstr("has 4097 bytes")));
  EXPECT_THAT(files.read("a.jsonl", nested(half, half.substr(1)), without_labels).feature_names,
              ElementsAre(half + "." + half.substr(1)));
}

TEST_F(LongNames, AreReadAndWrittenUpToTheLimit) {
  const auto data = files.read("a.csv", "x," + longest + "\n1,2\n3,5\n", without_labels);
  EXPECT_THAT(data.feature_names, ElementsAre("x", longest));
  auto other = data;
  other.feature_names[1] = too_long;
  for (const std::string name : {"b.csv", "b.arff", "b.jsonl"}) {
    write_dataset(data, files / name);
    EXPECT_EQ(read_dataset(files / name, without_labels).feature_names, data.feature_names) << name;
    EXPECT_THAT(files.error_of([&] { write_dataset(other, files / name); }),
                AllOf(HasSubstr("cannot be written"), HasSubstr("4097 bytes")));
  }
}

}  // namespace
}  // namespace mugrad

// SPDX-License-Identifier: MIT
#include "support/command_test.h"
#include "support/compressed.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

namespace mugrad::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::UnorderedElementsAreArray;

using Lines = std::vector<std::string>;

Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

class SplitCommand : public CommandTest {
 protected:
  /// The rows of both parts of each file, without `head` lines.
  Lines rows_of_parts(const std::string& ending, std::size_t head) const {
    Lines rows;
    for (const char* const part : {"train", "test"}) {
      const Lines lines = lines_of(read_file(folder_ / ("parts/" + std::string(part) + ending)));
      rows.insert(rows.end(), lines.begin() + static_cast<std::ptrdiff_t>(head), lines.end());
    }
    return rows;
  }
};

TEST_F(SplitCommand, CopiesRecordsOfJsonLinesByteByByte) {
  Lines records;
  std::string text;
  for (int i = 0; i < 20; ++i) {
    records.push_back("{\"n\":" + std::to_string(i) +
                      ", \"body\": \"a text, of\\nwords \\u00e9\", \"tags\":[\"a\" , \"b\"]}");
    text += records.back() + (i % 3 == 0 ? "\r\n" : "\n") + (i == 7 ? "\n" : "");
  }
  folder_.write("t.jsonl", text);
  const auto done = run({"split", "t.jsonl", "--tags", "tags", "-o", "parts", "--seed", "3"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(rows_of_parts(".jsonl", 0), UnorderedElementsAreArray(records));
  EXPECT_EQ(lines_of(read_file(folder_ / ("parts/test.jsonl"))).size(), 4U);
}

TEST_F(SplitCommand, CopiesRecordsOfATableWithTextsBelowItsLineOfNames) {
  const std::string head = "id;body;\"the; tags\"";
  Lines records;
  std::string text = "\xEF\xBB\xBF" + head + "\n";
  for (int i = 0; i < 12; ++i) {
    const std::string number = std::to_string(i);
    records.push_back("T-" + number + ";\"she said \"\"so " + number +
                      "\"\"; then left the house\";a" + (i % 2 == 0 ? "|b" : ""));
    text += records.back() + "\n";
  }
  folder_.write("t.csv", text);
  const auto done = run({"split", "t.csv", "--tags", "the; tags", "-o", "parts", "--folds", "3"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  Lines tested;
  for (const char* const fold : {"parts/fold-1", "parts/fold-2", "parts/fold-3"}) {
    const Lines lines = lines_of(read_file(folder_ / (std::string(fold) + "/test.csv")));
    ASSERT_FALSE(lines.empty());
    EXPECT_EQ(lines[0], head);
    tested.insert(tested.end(), lines.begin() + 1, lines.end());
  }
  EXPECT_THAT(tested, UnorderedElementsAreArray(records));
}

TEST_F(SplitCommand, KeepsCellsWithNewlinesAndMissingNumbersOfCompressedFiles) {
  std::string text = "x,note,y\n";
  for (int i = 0; i < 10; ++i) {
    text += i == 4 ? std::string(",\"two\nlines\",1\n") : std::to_string(i) + ",one,0\n";
  }
  folder_.write("t.csv.gz", gzip(text));
  const auto done = run({"split", "t.csv.gz", "--label-columns", "y", "-o", "parts"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  const std::string both =
      read_file(folder_ / ("parts/train.csv")) + read_file(folder_ / ("parts/test.csv"));
  EXPECT_THAT(both, HasSubstr("\n,\"two\nlines\",1\n"));
}

TEST_F(SplitCommand, EncodesTablesOfNumbersAndCategoriesAsVersion01Did) {
  std::string text = "y,plan,x\n";
  for (int i = 0; i < 10; ++i) {
    text += std::string(i % 2 == 0 ? "1,pro," : "0,free,") + std::to_string(i) + "\n" +
            (i == 5 ? "1,team,3\n" : "");
  }
  folder_.write("t.csv", text);
  ASSERT_EQ(run({"split", "t.csv", "--label-columns", "y", "-o", "parts"}).exit_code, 0);
  EXPECT_THAT(read_file(folder_ / ("parts/test.csv")),
              ::testing::StartsWith("plan=free,plan=pro,plan=team,x,y\n"));
}

TEST_F(SplitCommand, LeavesMissingValuesMissing) {
  folder_.write(
      "t.arff",
      "@relation t\n@attribute x numeric\n@attribute y {0,1}\n@data\n1,0\n?,1\n3,1\n4,0\n");
  ASSERT_EQ(run({"split", "t.arff", "--label-columns", "y", "-o", "parts"}).exit_code, 0);
  EXPECT_THAT(read_file(folder_ / ("parts/train.arff")) + read_file(folder_ / ("parts/test.arff")),
              HasSubstr("?,1"));
  ASSERT_EQ(run({"convert", "t.arff", "t.csv", "--label-columns", "y"}).exit_code, 0);
  EXPECT_EQ(read_file(folder_ / "t.csv"), "x,y\n1,0\n,1\n3,1\n4,0\n");
  ASSERT_EQ(
      run({"convert", "t.arff", "u.csv", "--label-columns", "y", "--impute", "median"}).exit_code,
      0);
  EXPECT_EQ(read_file(folder_ / "u.csv"), "x,y\n1,0\n3,1\n3,1\n4,0\n");
}

}  // namespace
}  // namespace mugrad::testing

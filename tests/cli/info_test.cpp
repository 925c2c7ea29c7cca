// SPDX-License-Identifier: MIT
// `mugrad info` looks at any file that can be read.
#include "support/command_test.h"
#include "support/compressed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

namespace mugrad::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class InfoCommand : public CommandTest {
 protected:
  std::string shown(const std::string& name, const std::string& content) const {
    folder_.write(name, content);
    const auto result = run({"info", name});
    EXPECT_EQ(result.exit_code, 0) << name << ": " << result.err;
    return result.out;
  }
};

TEST_F(InfoCommand, LooksAtSmallFilesOfEveryFormatWithoutLabels) {
  const std::map<std::string, std::string> files = {
      {"one-number.csv", "a\n1\n2\n"},
      {"one-text.csv", "body\nthis is a text\nthis is another one\n"},
      {"texts.csv", "a,b\nthis is a text,and one more\nthis is another,and the last one\n"},
      {"one-row.tsv", "a\tb\n1\tx\n"},
      {"missing.csv", "a,b\n1,\n,2\nNA,3\n"},
      {"nothing-known.csv", "id,a\nx1,\nx2,\n"},
      {"lines.jsonl", "{\"a\": 1}\n{\"b\": null}\n"},
      {"empty-object.jsonl", "{}\n"},
      {"gaps.arff", "@relation r\n@attribute a numeric\n@attribute b {x,y}\n@data\n1,?\n?,y\n"},
      {"sparse.arff",
       "@relation r\n@attribute a numeric\n@attribute b numeric\n@data\n{1 2}\n{}\n"},
      {"no-labels.svm", " 1:2 3:4\n 2:1\n"},
      {"no-labels.xmc", "2 3 0\n 0:2\n 1:1\n"}};
  for (const auto& [name, content] : files) {
    SCOPED_TRACE(name);
    const auto text = shown(name, content);
    EXPECT_THAT(text, HasSubstr("\nlabels  "));
    EXPECT_EQ(shown(name + ".gz", gzip(content)), text);
    EXPECT_EQ(shown(name + ".zst", zstd(content)), text);
    EXPECT_EQ(json_of({"info", "-q", name})["labels"], 0);
  }
}

TEST_F(InfoCommand, ShowsTheFirstRowsOfFilesWhoseColumnsHaveNoRoles) {
  EXPECT_THAT(shown("a.arff",
                    "@relation r\n@attribute tempo numeric\n@attribute key {C,D}\n@data\n"
                    "1.5,C\n?,D\n0,C\n7,C\n"),
              AllOf(HasSubstr("missing values"), HasSubstr("1 of features\n"),
                    HasSubstr("\nfirst rows, without zeros\n  1  labels: none\n     tempo = 1.5, "
                              "key=C = 1\n"),
                    HasSubstr("     tempo = missing, key=D = 1\n"), Not(HasSubstr("tempo = 7"))));
  EXPECT_THAT(shown("b.svm", "0,2 1:2 3:4\n1\n"),
              HasSubstr("  1  labels: '0', '2'\n     0 = 2, 2 = 4\n  2  labels: '1'\n     all "
                        "features are 0\n"));
}

TEST_F(InfoCommand, FilesOfBlankLinesAreRefusedWithAReason) {
  for (const std::string ending : {"csv", "tsv", "jsonl", "arff", "svm", "xmc", "dat"}) {
    for (const std::string content : {"", "\n", "\r\n\r\n", " \n\n", "\xEF\xBB\xBF\n"}) {
      const std::string name = "blank." + ending;
      folder_.write(name, content);
      const auto result = run({"info", name});
      if (result.exit_code == 0) continue;  // an example without features and labels
      EXPECT_EQ(result.exit_code, 1) << name;
      EXPECT_THAT(result.err, StartsWith("mugrad: blank."));
    }
  }
}

TEST_F(InfoCommand, LooksAtTablesAsProgramsWriteThem) {
  EXPECT_THAT(shown("pandas.csv", ",a,y\n0,5,0\n1,7,1\n2,8,1\n"), HasSubstr("column 1  ignored"));
  EXPECT_THAT(shown("end.csv", "a,b,\n1,2,\n3,4,\n"), Not(HasSubstr("column 3")));
  EXPECT_THAT(shown("nested.jsonl", "{\"a\":1,\"l\":[{\"b\":1}]}\n{\"a\":{\"c\":2}}\n"),
              AllOf(HasSubstr("a       ignored"), HasSubstr("l       ignored"),
                    HasSubstr("a.c      number")));
}

TEST_F(InfoCommand, ShowsTheColumnsOfATableWithoutRows) {
  const auto text = shown("names.csv", "age,plan\n");
  EXPECT_THAT(text, AllOf(StartsWith("column"), HasSubstr("\nage "), HasSubstr("\nplan ")));
  const auto json = json_of({"info", "-q", "names.csv"});
  EXPECT_EQ(json["examples"], 0);
  EXPECT_EQ(json["columns"].size(), 2U);
  const auto training = run({"train", "names.csv", "--label-columns", "plan"});
  EXPECT_EQ(training.exit_code, 1);
  EXPECT_THAT(training.err, HasSubstr("names.csv: the file has no examples"));
}

}  // namespace
}  // namespace mugrad::testing

// SPDX-License-Identifier: MIT
#include "support/command_test.h"
#include "support/small_model.h"

#include <mugrad/data/files.h>
#include <mugrad/model/model.h>

#include <gmock/gmock.h>

namespace mugrad::testing {
namespace {

using ::testing::UnorderedElementsAreArray;

/// The first cell of a text, as RFC 4180 has it.
std::string csv_unquoted(const std::string& text) {
  if (!text.starts_with('"')) return text.substr(0, text.find('\n'));
  std::string cell;
  for (std::size_t k = 1; text[k] != '"' || text[k + 1] == '"'; ++k) {
    cell += text[k];
    if (text[k] == '"') ++k;
  }
  return cell;
}

/// The names of a cell, as docs/formats.md says.
std::vector<std::string> names_in(const std::string& cell) {
  std::vector<std::string> names(cell.empty() ? 0 : 1);
  for (std::size_t k = 0; k < cell.size(); ++k) {
    if (cell[k] == ';') {
      names.emplace_back();
    } else if (cell[k] != '\\') {
      names.back() += cell[k];
    } else if (cell[++k] != '0') {
      names.back() += cell[k];
    }
  }
  return names;
}

class Predictions : public CommandTest {};

TEST_F(Predictions, NamesCanBeToldApartWhateverIsInThem) {
  const std::vector<std::string> names = {"",   ";",   "\\",         "a;b", "\\;",
                                          ";;", "\\0", "0",          "a\\", "\"x,",
                                          "a",  "b",   "two\nlines", " a ", "\\\\"};
  folder_.write("data.csv", "tempo,\"Höhe \"\"5\"\"\"\n1,2\n");
  for (std::size_t k = 0; k + 2 < names.size(); ++k) {
    ModelContents contents = small_model();
    contents.label_names = {names[k], names[k + 1], names[k + 2]};
    Model(contents).save(folder_ / "model");
    const auto text = out_of({"predict", "-q", "model", "data.csv", "--threshold", "0"});
    const std::string before = "row,labels\n1,";
    ASSERT_TRUE(text.starts_with(before)) << text;
    EXPECT_THAT(names_in(csv_unquoted(text.substr(before.size()))),
                UnorderedElementsAreArray(contents.label_names));
  }
}

TEST_F(Predictions, AreReadAsTheyWereWritten) {
  const std::vector<std::string> names = {"",       ";",        "\\",   "a;b",  "\\;", "NA",
                                          "\\0",    "0",        "a\\",  "\"x,", "[x]", "[\"x\"]",
                                          "a|b",    "red boat", "a, b", " a ",  "\t",  "two\nlines",
                                          "\\ a\\", "null",     "\\\\", "é",    "{}"};
  folder_.write("data.csv", "tempo,\"Höhe \"\"5\"\"\"\n1,2\n3,4\n");
  for (std::size_t k = 0; k + 2 < names.size(); ++k) {
    ModelContents contents = small_model();
    contents.label_names = {names[k], names[k + 1], names[k + 2]};
    Model(contents).save(folder_ / "model");
    std::ranges::sort(contents.label_names);
    for (const std::string kind : {"-q", "--json"}) {
      out_of({"predict", "model", "data.csv", "--threshold", "0", "-o", "predicted", kind});
      const auto data = read_dataset(folder_ / "predicted", {.tags = "labels"});
      EXPECT_EQ(data.label_names, contents.label_names) << read_file(folder_ / "predicted");
      EXPECT_EQ(data.rows(), 2);
      EXPECT_EQ(data.y.ones(), 6);
    }
  }
}

TEST_F(Predictions, TitleOfTheIdentifierDiffersFromAllOthers) {
  std::string table = "row,x,a,row (id)\n";
  for (int i = 0; i < 8; ++i) {
    table += "R" + std::to_string(i) + "," + std::to_string(i * i % 5) + "," +
             std::to_string(i % 2) + "," + std::to_string(i % 3 == 0) + "\n";
  }
  folder_.write("t.csv", table);
  out_of({"train", "t.csv", "--id", "row", "--label-columns", "a,row (id)", "-o", "model"});
  EXPECT_TRUE(out_of({"predict", "model", "t.csv"}).starts_with("row,row (id) (id),labels\n1,R0,"));
  const auto rows = json_of({"predict", "model", "t.csv"});
  EXPECT_EQ(rows[2]["row"], 3);
  EXPECT_EQ(rows[2]["row (id) (id)"], "R2");
}

TEST_F(Predictions, AreNotWrittenToAFileCalledLikeStandardOutput) {
  make_model();
  const auto refused = run({"predict", "model", "parts/test.arff", "-o", "-"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_EQ(refused.err, "mugrad: --output cannot be -: a file of that name is ./-\n");
  out_of({"predict", "model", "parts/test.arff", "-o", "./-"});
  EXPECT_TRUE(std::filesystem::exists(folder_ / "-"));
}

}  // namespace
}  // namespace mugrad::testing

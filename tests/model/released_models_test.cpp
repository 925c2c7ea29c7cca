// SPDX-License-Identifier: MIT
// Models of every format that was released, as the program of that release wrote them, load and
// predict what they did then. tests/model/data/make says how they were made.
#include "support/paths.h"

#include <mugrad/data/files.h>
#include <mugrad/model/model.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace mugrad {
namespace {

const std::filesystem::path kFolder = testing::in_repository("tests/model/data");

/// The cells of a CSV file whose cells have no quotes, without its header.
std::vector<std::vector<std::string>> cells_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::vector<std::vector<std::string>> rows;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    auto& row = rows.emplace_back();
    std::istringstream cells(line + ',');
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(cell);
  }
  return rows;
}

class ReleasedModels : public ::testing::TestWithParam<std::string> {
 protected:
  std::filesystem::path folder() const { return kFolder / GetParam(); }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder())) {
      if (entry.path().extension() == ".mugrad") names.push_back(entry.path().stem().string());
    }
    return names;
  }
};

INSTANTIATE_TEST_SUITE_P(Formats, ReleasedModels, ::testing::Values("format-2"),
                         [](const auto& format) { return "Format" + format.param.substr(7); });

TEST_P(ReleasedModels, HaveEveryMethodAndKindOfHead) {
  std::set<std::string> methods, heads;
  for (const auto& name : names()) {
    const Model model = Model::load(folder() / (name + ".mugrad"));
    methods.insert(model.contents().report.method);
    heads.insert(std::string(kind_of(model.contents().head)));
  }
  EXPECT_EQ(names().size(), 18);
  EXPECT_EQ(methods.size(), 12);
  EXPECT_EQ(heads.size(), 7);
}

TEST_P(ReleasedModels, PredictWhatTheyDid) {
  const Dataset rows = read_dataset(folder() / "rows.arff");
  for (const auto& name : names()) {
    const Model model = Model::load(folder() / (name + ".mugrad"));
    const auto scores = model.scores(rows.x);
    const auto predicted = model.predict(rows.x);
    const auto expected = cells_of(folder() / (name + ".scores.csv"));
    const auto labels = cells_of(folder() / (name + ".labels.csv"));
    ASSERT_EQ(std::ssize(expected), rows.rows()) << name;
    ASSERT_EQ(std::ssize(labels), rows.rows()) << name;
    for (Index row = 0; row < rows.rows(); ++row) {
      const auto& cells = expected[static_cast<std::size_t>(row)];
      ASSERT_EQ(std::ssize(cells), 1 + model.labels()) << name;
      for (Index label = 0; label < model.labels(); ++label) {
        const auto& cell = cells[static_cast<std::size_t>(label) + 1];
        double score = 0;
        ASSERT_EQ(std::from_chars(cell.data(), cell.data() + cell.size(), score).ec, std::errc{});
        // Instruction sets and libraries may round otherwise.
        EXPECT_NEAR(scores(row, label), score, 1e-9) << name << ", row " << row;
      }
      std::multiset<std::string> expected_names, found_names;
      const auto& line = labels[static_cast<std::size_t>(row)];
      std::istringstream listed(line.size() > 1 ? line[1] : "");
      for (std::string label; std::getline(listed, label, ';');) expected_names.insert(label);
      for (const LabelId label : predicted.row(row)) found_names.insert(model.label_name(label));
      EXPECT_EQ(found_names, expected_names) << name << ", row " << row;
    }
  }
}

/// Writing is reading backwards: nothing of an old model is lost.
TEST_P(ReleasedModels, AreTheSameWhenTheyAreSavedAgain) {
  for (const auto& name : names()) {
    const Model model = Model::load(folder() / (name + ".mugrad"));
    EXPECT_EQ(Model::from_bytes(model.to_bytes(), name).contents(), model.contents()) << name;
  }
}

}  // namespace
}  // namespace mugrad

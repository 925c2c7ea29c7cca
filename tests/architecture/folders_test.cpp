// SPDX-License-Identifier: MIT
// A folder that one can take in at a glance, and families of methods that stand on their own.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

namespace mugrad {
namespace {

namespace fs = std::filesystem;

constexpr int kMostFiles = 40;

fs::path source_folder() { return fs::path(MUGRAD_SOURCE_DIR) / "src"; }

TEST(Architecture, NoFolderHasMoreThanFortyFiles) {
  std::map<fs::path, int> files;
  for (const auto& entry : fs::recursive_directory_iterator(source_folder())) {
    if (entry.is_regular_file()) ++files[entry.path().parent_path()];
  }
  EXPECT_GT(files.size(), 15U);
  for (const auto& [folder, count] : files) EXPECT_LE(count, kMostFiles) << folder;
}

TEST(Architecture, AFamilyOfMethodsIncludesItselfAndWhatAllShare) {
  // CLR's virtual label is the model of BR, which is in the family of MGD.
  const std::map<std::string, std::set<std::string>> also = {{"pairs", {"mgd"}}};
  static const std::regex kInclude(R"re(^#include "method/([a-z]+)/)re");
  int checked = 0;
  for (const auto& family : fs::directory_iterator(source_folder() / "method")) {
    if (!family.is_directory()) continue;
    const std::string name = family.path().filename();
    for (const auto& file : fs::directory_iterator(family.path())) {
      std::ifstream in(file.path());
      for (std::string line; std::getline(in, line);) {
        std::smatch match;
        if (!std::regex_search(line, match, kInclude)) continue;
        ++checked;
        const std::string other = match[1];
        const bool allowed = other == name || other == "common" ||
                             (also.contains(name) && also.at(name).contains(other));
        EXPECT_TRUE(allowed) << file.path() << " includes from " << other;
      }
    }
  }
  EXPECT_GT(checked, 50);
}

}  // namespace
}  // namespace mugrad

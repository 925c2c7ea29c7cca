// SPDX-License-Identifier: MIT
// Data flows one way through the folders: docs/architecture.md has the picture.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

namespace mugrad {
namespace {

using Folders = std::set<std::string>;

/// What the files of each folder may include, besides their own folder.
const std::map<std::string, Folders> kMayInclude = {
    {"core", {}},
    {"parallel", {"core"}},
    {"linalg", {"core", "parallel"}},
    {"data", {"core", "parallel", "linalg"}},
    {"objective", {"core", "parallel", "linalg"}},
    {"transfer", {"core", "parallel", "linalg"}},
    {"theory", {"core", "linalg", "objective", "transfer"}},
    {"solver", {"core", "parallel", "linalg", "objective", "transfer"}},
    {"learner", {"core", "parallel", "linalg", "objective", "solver"}},
    {"metric", {"core", "linalg", "data"}},
    {"model", {"core", "parallel", "linalg", "data", "objective"}},
    {"method",
     {"core", "parallel", "linalg", "data", "objective", "transfer", "theory", "solver", "learner",
      "model"}},
    {"experiment",
     {"core", "parallel", "linalg", "data", "objective", "transfer", "theory", "solver", "learner",
      "model", "method", "metric"}},
    {"report",
     {"core", "parallel", "linalg", "data", "objective", "transfer", "theory", "solver", "learner",
      "model", "method", "metric", "experiment"}},
    // For the programs that put everything together; nothing in the library includes these.
    {"fetch", {"core", "data"}},
    {"mpi",
     {"core", "parallel", "linalg", "data", "objective", "transfer", "theory", "solver", "learner",
      "model", "method"}},
};

/// The folders that a file includes from: of "mugrad/data/x.h" or "data/formats/x.h", data.
Folders included_folders(const std::filesystem::path& file) {
  static const std::regex kInclude(R"re(^#include [<"](?:mugrad/)?([a-z]+)/)re");
  Folders folders;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::smatch match;
    if (std::regex_search(line, match, kInclude) && kMayInclude.contains(match[1])) {
      folders.insert(match[1]);
    }
  }
  return folders;
}

void check_tree(const std::filesystem::path& root) {
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    const auto extension = entry.path().extension();
    if (extension != ".h" && extension != ".cpp") continue;
    const auto relative = std::filesystem::relative(entry.path(), root);
    const std::string folder = *relative.begin();
    if (folder == relative) continue;  // mugrad.h includes everything
    ++files;
    ASSERT_TRUE(kMayInclude.contains(folder)) << relative << " is in a folder without a place";
    for (const auto& included : included_folders(entry.path())) {
      EXPECT_TRUE(included == folder || kMayInclude.at(folder).contains(included))
          << relative << " includes from " << included;
    }
  }
  EXPECT_GT(files, 10) << "the sources were not found below " << root;
}

TEST(Architecture, IncludesGoOneWay) {
  check_tree(std::filesystem::path(MUGRAD_SOURCE_DIR) / "src");
  check_tree(std::filesystem::path(MUGRAD_SOURCE_DIR) / "include/mugrad");
}

TEST(Architecture, TheRulesThemselvesHaveNoCycle) {
  for (const auto& [folder, may] : kMayInclude) {
    for (const auto& other : may) {
      EXPECT_FALSE(kMayInclude.at(other).contains(folder)) << folder << " and " << other;
    }
  }
}

}  // namespace
}  // namespace mugrad

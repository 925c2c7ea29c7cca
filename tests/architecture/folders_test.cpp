// SPDX-License-Identifier: MIT
// Folders and files that one can take in at a glance, and families of methods that stand on their
// own. clang-tidy measures functions of C++, python/tests/test_sizes.py those of Python.
#include "support/source_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>

namespace mugrad::testing {
namespace {

constexpr int kMostFiles = 40;
constexpr int kMostLines = 400;
constexpr std::size_t kMostPublicHeaders = 60;

TEST(Architecture, NoFolderHasMoreThanFortyFiles) {
  std::map<std::filesystem::path, int> files;
  for (const auto& file : files_below({"src"}, {".h", ".cpp", ".js"})) ++files[file.parent_path()];
  EXPECT_GT(files.size(), 15U);
  for (const auto& [folder, count] : files) EXPECT_LE(count, kMostFiles) << folder;
}

TEST(Architecture, NoFileHasMoreThanFourHundredLines) {
  const auto files = files_below({"src", "include", "cli", "python/mugrad", "python/bindings"},
                                 {".cpp", ".css", ".h", ".html", ".js", ".mjs", ".py", ".pyi"});
  EXPECT_GT(files.size(), 500U);
  for (const auto& file : files) {
    std::ifstream in(file);
    const auto lines = std::count(std::istreambuf_iterator<char>(in), {}, '\n');
    EXPECT_LE(lines, kMostLines) << file << ": a concept in it wants a file of its own";
  }
}

TEST(Architecture, PublicHeadersAreFewAndOneHeaderIncludesThem) {
  const auto root = in_repository("include");
  std::set<std::string> expected;
  const auto headers = files_below({"include"});
  EXPECT_LE(headers.size(), kMostPublicHeaders) << "merge two, or make one private";
  for (const auto& header : headers) expected.insert(std::filesystem::relative(header, root));
  // They need libraries of their own.
  std::erase_if(expected, [](const std::string& header) {
    return header.starts_with("mugrad/fetch/") || header.starts_with("mugrad/mpi/");
  });
  expected.erase("mugrad/mugrad.h");
  expected.insert("mugrad/version.h");  // which CMake makes
  const auto included = includes_of(root / "mugrad/mugrad.h");
  EXPECT_EQ(std::set<std::string>(included.begin(), included.end()), expected);
}

TEST(Architecture, AFamilyOfMethodsIncludesItselfAndWhatAllShare) {
  // CLR's virtual label is the model of BR, which is in the family of MGD.
  const std::map<std::string, std::set<std::string>> also = {{"pairs", {"mgd"}}};
  static const std::regex kFamily(R"re(^method/([a-z]+)/)re");
  const auto root = in_repository("src/method");
  int checked = 0;
  for (const auto& file : files_below({"src/method"})) {
    const std::string family = *std::filesystem::relative(file, root).begin();
    if (family == file.filename()) continue;  // methods.cpp knows all
    for (const auto& include : includes_of(file)) {
      std::smatch match;
      if (!std::regex_search(include, match, kFamily)) continue;
      ++checked;
      const std::string other = match[1];
      const bool allowed = other == family || other == "common" ||
                           (also.contains(family) && also.at(family).contains(other));
      EXPECT_TRUE(allowed) << file << " includes from " << other;
    }
  }
  EXPECT_GT(checked, 50);
}

}  // namespace
}  // namespace mugrad::testing

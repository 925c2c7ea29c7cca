// SPDX-License-Identifier: MIT
// The variant Head is the only list of kinds of heads; what is true of a kind is in its own file.
#include <mugrad/model/head.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>

namespace mugrad {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = MUGRAD_SOURCE_DIR;

/// Expects no line of a folder's sources to match.
void expect_none(const fs::path& folder, const std::regex& forbidden, const char* why) {
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
    const auto extension = entry.path().extension();
    if (extension != ".h" && extension != ".cpp" && extension != ".py") continue;
    ++files;
    std::ifstream in(entry.path());
    int number = 0;
    for (std::string line; std::getline(in, line);) {
      ++number;
      EXPECT_FALSE(std::regex_search(line, forbidden))
          << entry.path() << ':' << number << ": " << line << '\n'
          << why;
    }
  }
  EXPECT_GT(files, 5) << folder;
}

TEST(Architecture, EveryKindOfHeadHasAFileOfItsName) {
  std::set<std::string> kinds, files;
  for (const Head& head : empty_heads()) kinds.emplace(kind_of(head));
  for (const auto& file : fs::directory_iterator(kRoot / "src/model/heads")) {
    files.insert(file.path().stem());
  }
  EXPECT_EQ(kinds.size(), std::variant_size_v<Head>) << "two heads have one name";
  EXPECT_EQ(files, kinds);
}

TEST(Architecture, NobodyButMethodsAsksWhichKindAHeadIs) {
  const std::regex forbidden(R"re((holds_alternative|get_if|get)<\w+Head>)re");
  EXPECT_TRUE(std::regex_search("std::get_if<ChainHead>(&head)", forbidden));
  for (const char* folder :
       {"src/model", "src/experiment", "src/report", "src/mpi", "cli", "python/bindings"}) {
    expect_none(folder, forbidden, "a fact about a head belongs into its HeadKind");
  }
}

TEST(Architecture, NobodyComparesTheNameOfAHead) {
  std::string names;
  for (const Head& head : empty_heads()) {
    names += (names.empty() ? "" : "|") + std::string(kind_of(head));
  }
  const std::regex forbidden("[!=]= *\"(" + names + ")\"");
  for (const char* folder : {"src", "include", "cli", "python/bindings", "python/mugrad"}) {
    expect_none(folder, forbidden, "a fact about a head belongs into its HeadKind");
  }
}

TEST(Architecture, BindingsIncludeNothingPrivateOfModels) {
  expect_none("python/bindings", std::regex(R"re(#include "model/)re"),
              "fields_of and score_range are public");
}

}  // namespace
}  // namespace mugrad

// SPDX-License-Identifier: MIT
// The variant Head is the only list of kinds of heads; what is true of a kind is in its own file.
#include "support/source_files.h"

#include <mugrad/model/head.h>

#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <string>

namespace mugrad::testing {
namespace {

constexpr const char* kWhy = "a fact about a head belongs into its HeadKind";

TEST(Architecture, EveryKindOfHeadHasAFileOfItsName) {
  std::set<std::string> kinds, files;
  for (const Head& head : empty_heads()) kinds.emplace(kind_of(head));
  for (const auto& file : files_below({"src/model/heads"})) files.insert(file.stem());
  EXPECT_EQ(kinds.size(), std::variant_size_v<Head>) << "two heads have one name";
  EXPECT_EQ(files, kinds);
}

TEST(Architecture, NobodyButMethodsAsksWhichKindAHeadIs) {
  const std::regex forbidden(R"re((holds_alternative|get_if|get)<\w+Head>)re");
  EXPECT_TRUE(std::regex_search("std::get_if<ChainHead>(&head)", forbidden));
  expect_no_line(files_below({"src/model", "src/experiment", "src/report", "src/mpi", "cli",
                              "python/bindings"}),
                 forbidden, kWhy);
}

/// The names of all heads, in quotes, after an expression.
std::regex quoted_name(const std::string& before = "") {
  std::string names;
  for (const Head& head : empty_heads()) {
    names += (names.empty() ? "" : "|") + std::string(kind_of(head));
  }
  return std::regex(before + "[\"'](" + names + ")[\"']");
}

TEST(Architecture, NobodyComparesTheNameOfAHead) {
  const std::regex forbidden = quoted_name("[!=]= *");
  EXPECT_TRUE(std::regex_search("kind === 'chains'", forbidden));
  expect_no_line(files_below({"src", "include", "cli", "python/bindings", "python/mugrad"},
                             {".h", ".cpp", ".py", ".js"}),
                 forbidden, kWhy);
}

/// Elsewhere the names are also words for other things: pairs of methods, an option `neighbours`.
TEST(Architecture, NobodyNamesAHeadWhereModelsAreUsed) {
  const std::regex forbidden = quoted_name();
  EXPECT_TRUE(std::regex_search("kinds.contains(\"chains\")", forbidden));
  auto files = files_below({"src/model", "src/experiment", "src/mpi", "include", "cli",
                            "python/bindings", "python/mugrad"},
                           {".h", ".cpp", ".py"});
  std::erase_if(files, [](const auto& file) {
    // _onnx.py has a table with a function for every head.
    return file.parent_path().filename() == "heads" || file.filename() == "_onnx.py";
  });
  expect_no_line(files, forbidden, kWhy);
}

}  // namespace
}  // namespace mugrad::testing

// SPDX-License-Identifier: MIT
// What is true of a method is declared by the method: nobody else compares its name. Metrics are
// values of a type: nobody but that type makes or reads their texts.
#include <mugrad/method/method.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>

namespace mugrad {
namespace {

namespace fs = std::filesystem;

/// A comparison with the name of a method, in C++ or Python.
std::regex comparison() {
  std::string names;
  for (const Method* const method : methods()) {
    names += (names.empty() ? "" : "|") + std::string(method->name());
  }
  return std::regex("[!=]= *\"(" + names + ")\"");
}

int files_checked(const fs::path& root, const std::regex& forbidden, const char* why) {
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
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
  return files;
}

TEST(Architecture, NobodyComparesTheNameOfAMethod) {
  const std::regex forbidden = comparison();
  EXPECT_TRUE(std::regex_search(std::string(R"(if (name == "mgd"))"), forbidden));
  const fs::path root = MUGRAD_SOURCE_DIR;
  for (const char* folder : {"src", "include", "cli", "python/bindings", "python/mugrad"}) {
    EXPECT_GT(
        files_checked(root / folder, forbidden, "a fact about a method belongs into its traits"), 5)
        << folder;
  }
}

TEST(Architecture, NobodyMakesOrComparesTheTextOfAMetricWithItsConvention) {
  const std::regex forbidden(R"re("[^"]*\((mulan|lamda|sklearn)\)|"macro-f1 \(|\.find\(" \("\))re");
  EXPECT_TRUE(std::regex_search(std::string(R"j(metric == "macro-f1 (mulan)")j"), forbidden));
  EXPECT_TRUE(std::regex_search(std::string(R"j(metric.ends_with("(mulan)"))j"), forbidden));
  const fs::path root = MUGRAD_SOURCE_DIR;
  for (const char* folder : {"src/experiment", "src/report", "include/mugrad/experiment", "cli",
                             "python/bindings", "python/mugrad"}) {
    EXPECT_GT(files_checked(root / folder, forbidden, "metrics are compared as Metric"), 5)
        << folder;
  }
}

}  // namespace
}  // namespace mugrad

// SPDX-License-Identifier: MIT
// What is true of a method is declared by the method: nobody else compares its name.
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

int files_checked(const fs::path& root, const std::regex& forbidden) {
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
          << entry.path() << ':' << number << ": " << line
          << "\na fact about a method belongs into its traits";
    }
  }
  return files;
}

TEST(Architecture, NobodyComparesTheNameOfAMethod) {
  const std::regex forbidden = comparison();
  EXPECT_TRUE(std::regex_search(std::string(R"(if (name == "mgd"))"), forbidden));
  const fs::path root = MUGRAD_SOURCE_DIR;
  for (const char* folder : {"src", "include", "cli", "python/bindings", "python/mugrad"}) {
    EXPECT_GT(files_checked(root / folder, forbidden), 5) << folder;
  }
}

}  // namespace
}  // namespace mugrad

// SPDX-License-Identifier: MIT
#include "support/source_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

namespace mugrad::testing {

namespace fs = std::filesystem;

std::vector<fs::path> files_below(const std::vector<std::string>& folders,
                                  const std::vector<std::string>& endings) {
  std::vector<fs::path> files;
  for (const auto& folder : folders) {
    const std::size_t before = files.size();
    for (const auto& entry : fs::recursive_directory_iterator(in_repository(folder))) {
      const bool has_ending =
          std::ranges::find(endings, entry.path().extension().string()) != endings.end();
      if (has_ending) files.push_back(entry.path());
    }
    EXPECT_GT(files.size(), before) << "no sources below " << folder;
  }
  std::ranges::sort(files);
  return files;
}

void expect_no_line(const std::vector<fs::path>& files,
                    const std::function<bool(const std::string&)>& is_forbidden,
                    std::string_view why) {
  for (const auto& file : files) {
    std::ifstream in(file);
    int number = 0;
    for (std::string line; std::getline(in, line);) {
      ++number;
      EXPECT_FALSE(is_forbidden(line)) << file.string() << ':' << number << ": " << line << '\n'
                                       << why;
    }
  }
}

void expect_no_line(const std::vector<fs::path>& files, const std::regex& forbidden,
                    std::string_view why) {
  expect_no_line(
      files, [&](const std::string& line) { return std::regex_search(line, forbidden); }, why);
}

std::vector<std::string> includes_of(const fs::path& file) {
  static const std::regex kInclude(R"re(^#include [<"]([^>"]+)[>"])re");
  std::vector<std::string> includes;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::smatch match;
    if (std::regex_search(line, match, kInclude)) includes.push_back(match[1]);
  }
  return includes;
}

}  // namespace mugrad::testing

// SPDX-License-Identifier: MIT
#include "support/documents.h"

#include "support/source_files.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <regex>
#include <sstream>

namespace mugrad::testing {

std::string text_of(const char* document, std::string_view heading) {
  const std::string text = read_file(in_repository(document));
  if (heading.empty()) return text;
  const auto begin = text.find("\n" + std::string(heading) + "\n");
  EXPECT_NE(begin, text.npos) << document << " has no " << heading;
  return begin == text.npos ? "" : text.substr(begin, text.find("\n## ", begin + 1) - begin);
}

std::vector<std::vector<std::string>> table_rows(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with('|') || line.starts_with("|--") || line.starts_with("| --")) continue;
    auto& cells = rows.emplace_back();
    std::istringstream in(line.substr(1));
    for (std::string cell; std::getline(in, cell, '|');) {
      const auto begin = cell.find_first_not_of(' ');
      cells.push_back(
          begin == cell.npos ? "" : cell.substr(begin, cell.find_last_not_of(' ') - begin + 1));
    }
  }
  return rows;
}

std::vector<std::string> code_in(const std::string& text) {
  static const std::regex kCode("`([^`]+)`");
  std::vector<std::string> names;
  for (std::sregex_iterator at(text.begin(), text.end(), kCode), end; at != end; ++at) {
    names.push_back((*at)[1]);
  }
  return names;
}

}  // namespace mugrad::testing

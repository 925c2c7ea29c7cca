// SPDX-License-Identifier: MIT
// The commands of docs/guide.md are tried as they stand there, and print what it shows.
#include "support/document_commands.h"
#include "support/source_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace mugrad::testing {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  return {std::istream_iterator<std::string>(in), {}};
}

/// Whether both are the same word, or almost the same number: a processor with other instructions
/// rounds scores otherwise, so that one or two of the 300 rows may get another label.
bool agree(const std::string& shown, const std::string& printed) {
  constexpr double kMost = 0.005;
  if (shown == printed) return true;
  if (shown.find('.') == std::string::npos) return false;
  char* end = nullptr;
  const double number = std::strtod(shown.c_str(), &end);
  if (*end != '\0') return false;
  const double other = std::strtod(printed.c_str(), &end);
  return *end == '\0' && std::fabs(number - other) <= kMost;
}

bool lines_agree(const std::string& shown, const std::string& printed) {
  return std::ranges::equal(words_of(shown), words_of(printed), agree);
}

/// The lines that the document shows as printed by its shell commands, without "...".
std::vector<std::string> shown_lines(const char* document) {
  std::vector<std::string> shown;
  std::string language;
  for (const auto& block : fenced_blocks(in_repository(document))) {
    if (block.language != "text") {
      language = block.language;
    } else if (language == "sh") {
      for (auto& line : lines_of(block.text)) {
        if (line != "...") shown.push_back(std::move(line));
      }
    }
  }
  return shown;
}

TEST(Guide, ShellCommandsWorkAndPrintWhatItShows) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "tuning takes minutes under a sanitizer, and tests of the commands run there";
#endif
  constexpr const char* kGuide = "docs/guide.md";
  const auto output = output_of_commands(kGuide);
  const auto printed = lines_of(output);
  const auto shown = shown_lines(kGuide);
  ASSERT_GT(shown.size(), 10U);
  auto from = printed.begin();
  for (const auto& line : shown) {
    const auto at = std::find_if(from, printed.end(),
                                 [&](const auto& other) { return lines_agree(line, other); });
    ASSERT_NE(at, printed.end()) << line << "\nis not in the output, in this order:\n" << output;
    from = at + 1;
  }
}

}  // namespace
}  // namespace mugrad::testing

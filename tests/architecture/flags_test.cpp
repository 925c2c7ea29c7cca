// SPDX-License-Identifier: MIT
// Messages of the library name options by option_text(): only the program has flags.
#include "support/source_files.h"

#include <gtest/gtest.h>

#include <regex>
#include <string>

namespace mugrad::testing {
namespace {

/// Entries of a comparison are written like commands of the program, "br --rho 0.1".
constexpr std::string_view kParsesEntries = "contender.cpp";

/// Whether a line of C++ has a flag, or the beginning of one, in a string literal.
bool has_flag(const std::string& line) {
  static const std::regex kLiteral(R"re("(?:[^"\\]|\\.)*")re");
  static const std::regex kFlag(R"re((^|[^-])--([a-z{]|"$))re");
  const std::string code = line.substr(0, line.find("//"));
  for (std::sregex_iterator literal(code.begin(), code.end(), kLiteral), end; literal != end;
       ++literal) {
    if (std::regex_search(literal->str(), kFlag)) return true;
  }
  return false;
}

TEST(Architecture, FlagsAreFoundInLiteralsAlone) {
  EXPECT_TRUE(has_flag(R"re(fail("leave it out (--drop)");)re"));
  EXPECT_TRUE(has_flag(R"re(fmt::format("--{} must be {}", name))re"));
  EXPECT_TRUE(has_flag(R"re(text = "--" + name;)re"));
  EXPECT_FALSE(has_flag(R"re(text += "---|";)re"));
  EXPECT_FALSE(has_flag(R"re(--count;  // not "--count")re"));
}

TEST(Architecture, NoMessageOfTheLibraryHasAFlag) {
  auto files = files_below({"src", "include"});
  std::erase_if(files, [](const auto& file) { return file.filename() == kParsesEntries; });
  expect_no_line(files, has_flag, "name the option by option_text()");
}

}  // namespace
}  // namespace mugrad::testing

// SPDX-License-Identifier: MIT
// The commands of README.md are tried as they stand there.
#include "support/document_commands.h"
#include "support/documents.h"
#include "support/source_files.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>

namespace mugrad::testing {
namespace {

/// Runs the shell commands of a document as they stand there.
void expect_commands_to_work(const char* document) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "tuning takes minutes under a sanitizer, and tests of the commands run there";
#endif
  output_of_commands(document);
}

TEST(Readme, ShellCommandsWorkInTheOrderTheyStand) { expect_commands_to_work("README.md"); }

TEST(ExperimentsGuide, ShellCommandsWorkInTheOrderTheyStand) {
  expect_commands_to_work("docs/experiments.md");
}

TEST(Readme, CppExampleIsTheOneThatIsBuilt) {
  const auto example = fenced_blocks(in_repository("README.md"), "cpp");
  ASSERT_FALSE(example.empty());
  const auto built = read_file(in_repository("examples/first_model.cpp"));
  std::istringstream lines(example);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_NE(built.find(line), std::string::npos) << line;
  }
}

/// The text of a document between the marks of the table of accuracy.
std::string accuracy_in(const char* document) {
  const std::string text = text_of(document);
  const auto begin = text.find("<!-- accuracy -->");
  const auto end = text.find("<!-- /accuracy -->");
  return begin < end && end != text.npos ? text.substr(begin, end - begin) : "";
}

TEST(Readme, TableOfAccuracyIsThatOfTheReproduction) {
  EXPECT_EQ(table_rows(accuracy_in("README.md")), table_rows(accuracy_in("docs/reproduction.md")));
}

/// All names that the tests' sources define, as suite.test.
std::set<std::string> defined_tests() {
  static const std::regex kTest(R"re(^TEST(?:_F|_P)?\((\w+), (\w+)\))re");
  std::set<std::string> names;
  for (const auto& file : files_below({"tests"}, {".cpp"})) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
      std::smatch match;
      if (std::regex_search(line, match, kTest)) {
        names.insert(match[1].str() + "." + match[2].str());
        names.insert(match[1].str() + ".*");
      }
    }
  }
  return names;
}

TEST(Theory, EveryTestItNamesExists) {
  static const std::regex kName(R"re(`(\w+\.(?:\w+|\*))`)re");
  const auto text = read_file(in_repository("docs/theory.md"));
  const auto tests = defined_tests();
  int named = 0;
  for (std::sregex_iterator at(text.begin(), text.end(), kName), end; at != end; ++at) {
    ++named;
    EXPECT_TRUE(tests.contains((*at)[1])) << (*at)[1];
  }
  EXPECT_GT(named, 40);
}

}  // namespace
}  // namespace mugrad::testing

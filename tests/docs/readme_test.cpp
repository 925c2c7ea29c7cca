// SPDX-License-Identifier: MIT
// The commands of README.md are tried as they stand there.
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace mugrad::testing {
namespace {

/// The blocks of a Markdown file fenced as this language, one after the other.
std::string fenced_blocks(const std::filesystem::path& file, const std::string& language) {
  std::ifstream in(file);
  EXPECT_TRUE(in) << file;
  std::string blocks;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line == "```" + language) {
      inside = true;
    } else if (line.starts_with("```")) {
      inside = false;
    } else if (inside) {
      blocks += line + "\n";
    }
  }
  return blocks;
}

TEST(Readme, ShellCommandsWorkInTheOrderTheyStand) {
  const auto script = fenced_blocks(std::filesystem::path(MUGRAD_SOURCE_DIR) / "README.md", "sh");
  ASSERT_NE(script.find("mugrad train"), std::string::npos);
  const TemporaryFolder folder;
  folder.write("script.sh", script);
  const std::string program = std::filesystem::path(MUGRAD_PROGRAM).parent_path();
  const std::string command = "cd '" + folder.path().string() + "' && PATH='" + program +
                              "':$PATH sh -e script.sh > output.txt 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0) << read_file(folder / "output.txt");
}

TEST(Readme, CppExampleIsTheOneThatIsBuilt) {
  const auto example = fenced_blocks(std::filesystem::path(MUGRAD_SOURCE_DIR) / "README.md", "cpp");
  ASSERT_FALSE(example.empty());
  const auto built =
      read_file(std::filesystem::path(MUGRAD_SOURCE_DIR) / "examples/first_model.cpp");
  std::istringstream lines(example);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_NE(built.find(line), std::string::npos) << line;
  }
}

}  // namespace
}  // namespace mugrad::testing

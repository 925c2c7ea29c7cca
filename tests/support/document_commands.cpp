// SPDX-License-Identifier: MIT
#include "support/document_commands.h"

#include "support/source_files.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace mugrad::testing {

std::vector<FencedBlock> fenced_blocks(const std::filesystem::path& file) {
  constexpr std::string_view kFence = "```";
  std::ifstream in(file);
  EXPECT_TRUE(in) << file;
  std::vector<FencedBlock> blocks;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(kFence)) {
      inside = !inside;
      if (inside) blocks.push_back({.language = line.substr(kFence.size()), .text = {}});
    } else if (inside) {
      blocks.back().text += line + "\n";
    }
  }
  return blocks;
}

std::string fenced_blocks(const std::filesystem::path& file, const std::string& language) {
  std::string text;
  for (const auto& block : fenced_blocks(file)) {
    if (block.language == language) text += block.text;
  }
  return text;
}

std::string output_of_commands(const char* document) {
  const auto script = fenced_blocks(in_repository(document), "sh");
  EXPECT_NE(script.find("mugrad "), std::string::npos);
  const TemporaryFolder folder;
  folder.write("script.sh", script);
  std::filesystem::create_directory_symlink(in_repository("examples"), folder / "examples");
  const std::string program = std::filesystem::path(program_path()).parent_path();
  const std::string command = "cd '" + folder.path().string() + "' && PATH='" + program +
                              "':$PATH sh -e script.sh > output.txt 2>&1";
  const int status = std::system(command.c_str());
  auto output = read_file(folder / "output.txt");
  EXPECT_EQ(status, 0) << output;
  return output;
}

}  // namespace mugrad::testing

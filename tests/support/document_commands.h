// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace mugrad::testing {

/// A fenced block of a Markdown file.
struct FencedBlock {
  std::string language;
  std::string text;
};

/// The fenced blocks of a file, in order.
std::vector<FencedBlock> fenced_blocks(const std::filesystem::path& file);
/// Those of one language, one after the other.
std::string fenced_blocks(const std::filesystem::path& file, const std::string& language);

/// Runs the shell commands of a document as they stand there, with the program in the PATH and the
/// examples of the repository in the folder. Returns what they print.
std::string output_of_commands(const char* document);

}  // namespace mugrad::testing

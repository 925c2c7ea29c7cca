// SPDX-License-Identifier: MIT
/// The lines of a file of results: JSON, the head first and then a record each.
#pragma once

#include <mugrad/experiment/results.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace mugrad {

/// With its newline. What is no UTF-8 in a name becomes U+FFFD.
std::string line_of(const ResultsHead& head);
std::string line_of(const Record& record);

/// As it will be read back. Throws InputError when two sets or two contenders are then called
/// alike.
ResultsHead as_written(const ResultsHead& head);

struct ReadSoFar {
  Results results;
  std::size_t whole_bytes = 0;  ///< up to the end of the last whole line
};

/// What follows the last newline was cut off while it was written, and is passed over. Throws
/// InputError naming the path and the line.
ReadSoFar read_whole_lines(const std::filesystem::path& path, std::string_view text);

}  // namespace mugrad

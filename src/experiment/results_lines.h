// SPDX-License-Identifier: MIT
/// The lines of a results file: JSON, the head first and then one record each.
#pragma once

#include <mugrad/experiment/results.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace mugrad {

/// With its newline. Invalid UTF-8 in a name becomes U+FFFD.
std::string line_of(const ResultsHead& head);
std::string line_of(const Record& record);

/// The head as it will be read back. Throws InputError if two sets or two contenders then have the
/// same name.
ResultsHead as_written(const ResultsHead& head);

struct ReadSoFar {
  Results results;
  std::size_t whole_bytes = 0;  ///< up to the end of the last complete line
};

/// Text after the last newline is an incomplete line and is ignored. Throws InputError naming the
/// path and the line.
ReadSoFar read_whole_lines(const std::filesystem::path& path, std::string_view text);

}  // namespace mugrad

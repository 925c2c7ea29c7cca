// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

namespace mugrad {

/// Whether a path means standard input: "-". A file of that name is "./-".
bool is_standard_input(const std::filesystem::path& path);
/// An input in messages: its path, or "standard input".
std::string input_name(const std::filesystem::path& path);
/// The name of the data in an input: "birds" of birds.csv and of birds.csv.gz, "stdin" of standard
/// input.
std::string data_name(const std::filesystem::path& path);

/// "birds.csv" for "birds.csv.gz"; other paths as they are.
std::filesystem::path without_compression(std::filesystem::path path);

}  // namespace mugrad

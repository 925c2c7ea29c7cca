// SPDX-License-Identifier: MIT
#include "core/input/input_name.h"

#include "core/input/decompressor.h"

#include <algorithm>

namespace mugrad {

bool is_standard_input(const std::filesystem::path& path) { return path == "-"; }

std::string input_name(const std::filesystem::path& path) {
  return is_standard_input(path) ? "standard input" : path.string();
}

std::string data_name(const std::filesystem::path& path) {
  return is_standard_input(path) ? "stdin" : without_compression(path).stem().string();
}

std::filesystem::path without_compression(std::filesystem::path path) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  const std::string ending = path.extension().string();
  for (const Compression* const compression : compressions()) {
    if (std::ranges::equal(ending, compression->ending, {}, lower)) {
      return path.replace_extension();
    }
  }
  return path;
}

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#include "command_line.h"

#include <filesystem>

namespace mugrad::cli {

void add_examples(CLI::App& command, const std::string& examples) {
  command.footer("Examples:\n" + examples);
}

void take_names(std::vector<std::string>& files, std::vector<std::string>& names,
                const std::function<bool(const std::string&)>& is_name) {
  std::vector<std::string> rest;
  for (auto& word : files) {
    std::error_code unknown;
    const bool is_file = std::filesystem::exists(word, unknown);
    (!is_file && is_name(word) ? names : rest).push_back(std::move(word));
  }
  files = std::move(rest);
}

}  // namespace mugrad::cli

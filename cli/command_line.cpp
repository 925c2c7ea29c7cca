// SPDX-License-Identifier: MIT
#include "command_line.h"

#include <filesystem>
#include <sstream>
#include <string_view>

namespace mugrad::cli {
namespace {

/// An option of CLI11 keeps no data of ours but the names of its checks.
constexpr std::string_view kSuggests = "suggests ";

}  // namespace

CLI::Option* suggest(CLI::Option* option, const std::vector<std::string>& values) {
  std::string name(kSuggests);
  for (const auto& value : values) name += value + ",";
  return option->check(
      CLI::Validator([](std::string&) { return std::string(); }, "", std::move(name)));
}

std::vector<std::string> suggestions_of(CLI::Option& option) {
  std::vector<std::string> values;
  try {
    for (int i = 0;; ++i) {
      const std::string& name = option.get_validator(i)->get_name();
      if (!name.starts_with(kSuggests)) continue;
      std::istringstream list(name.substr(kSuggests.size()));
      for (std::string value; std::getline(list, value, ',');) values.push_back(value);
    }
  } catch (const CLI::OptionNotFound&) {
    return values;  // CLI11 does not say how many checks there are
  }
}

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

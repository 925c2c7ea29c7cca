// SPDX-License-Identifier: MIT
#include "definitions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>

namespace mugrad::cli {
namespace {

std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

/// The values of CLI::IsMember, which describes itself as {a,b,c}; empty for other checks.
std::vector<std::string> members_in(const std::string& description) {
  if (description.size() < 2 || description.front() != '{' || description.back() != '}') return {};
  return parts_of(description.substr(1, description.size() - 2), ',');
}

void set_value(OptionDefinition& definition, CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return;  // a flag
  // "FILE", or with checks "N:INT in [1 - 1024]"
  const std::string type = option.get_type_name();
  const auto colon = type.find(':');
  definition.value = type.substr(0, colon);
  definition.choices = suggestions_of(option);
  if (colon != std::string::npos) {
    auto members = members_in(type.substr(colon + 1));
    if (members.empty()) {
      definition.limits = type.substr(colon + 1);
    } else {
      definition.choices = std::move(members);
    }
  }
  constexpr std::array kFiles = {"FILE", "DATA", "MODEL", "OUTPUT"};
  for (const auto& word : parts_of(definition.value, '|')) {
    definition.takes_files = definition.takes_files || std::ranges::count(kFiles, word) > 0;
    definition.takes_folders = definition.takes_folders || word == "DIR";
  }
  definition.is_list = option.get_delimiter() == ',';
  definition.is_repeated = option.get_items_expected_max() > 1;
  if (definition.help.find("[default:") == std::string::npos) {
    definition.initial = option.get_default_str();
  }
}

std::vector<std::string> names_of(const std::set<CLI::Option*>& options) {
  std::vector<std::string> names;
  names.reserve(options.size());
  for (const auto* option : options) names.push_back(option->get_name());
  std::ranges::sort(names);  // the set is ordered by addresses
  return names;
}

OptionDefinition definition_of(CLI::Option& option) {
  OptionDefinition definition{.help = option.get_description(),
                              .group = option.get_group(),
                              .needs = names_of(option.get_needs()),
                              .excludes = names_of(option.get_excludes()),
                              .is_required = option.get_required()};
  for (const auto& name : option.get_snames()) definition.names.push_back("-" + name);
  for (const auto& name : option.get_lnames()) definition.names.push_back("--" + name);
  if (definition.names.empty()) definition.names = {option.get_name(true)};
  set_value(definition, option);
  return definition;
}

/// Keeps the options of a group together, as the help does.
void sort_by_group(std::vector<OptionDefinition>& options) {
  std::vector<std::string> groups;
  for (const auto& option : options) {
    if (std::ranges::count(groups, option.group) == 0) groups.push_back(option.group);
  }
  std::ranges::stable_sort(options, {}, [&](const OptionDefinition& option) {
    return std::ranges::find(groups, option.group) - groups.begin();
  });
}

CommandDefinition definition_below(CLI::App& app, std::vector<std::string> path) {
  path.push_back(app.get_name());
  CommandDefinition command{
      .path = path, .summary = app.get_description(), .footer = app.get_footer()};
  for (CLI::Option* const option : app.get_options({})) {
    if (option->get_group().empty()) continue;
    auto& list = option->get_positional() ? command.arguments : command.options;
    list.push_back(definition_of(*option));
  }
  sort_by_group(command.options);
  for (CLI::App* const below : app.get_subcommands([](CLI::App*) { return true; })) {
    if (!below->get_group().empty()) command.commands.push_back(definition_below(*below, path));
  }
  return command;
}

Json option_json(const OptionDefinition& option) {
  return {{"names", option.names},       {"value", option.value},
          {"help", option.help},         {"default", option.initial},
          {"choices", option.choices},   {"limits", option.limits},
          {"group", option.group},       {"required", option.is_required},
          {"list", option.is_list},      {"needs", option.needs},
          {"excludes", option.excludes}, {"repeated", option.is_repeated},
          {"files", option.takes_files}, {"folders", option.takes_folders}};
}

Json options_json(const std::vector<OptionDefinition>& options) {
  Json list = Json::array();
  for (const auto& option : options) list.push_back(option_json(option));
  return list;
}

}  // namespace

std::string CommandDefinition::name() const { return fmt::format("{}", fmt::join(path, " ")); }

CommandDefinition definition_of(CLI::App& app) { return definition_below(app, {}); }

Json as_json(const CommandDefinition& command) {
  Json commands = Json::array();
  for (const auto& below : command.commands) commands.push_back(as_json(below));
  return {{"name", command.name()},
          {"summary", command.summary},
          {"footer", command.footer},
          {"arguments", options_json(command.arguments)},
          {"options", options_json(command.options)},
          {"commands", commands}};
}

std::vector<const CommandDefinition*> all_commands(const CommandDefinition& command) {
  std::vector<const CommandDefinition*> all = {&command};
  for (const auto& below : command.commands) {
    const auto more = all_commands(below);
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

}  // namespace mugrad::cli

// SPDX-License-Identifier: MIT
#include "method_arguments.h"

#include "choices.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace mugrad::cli {
namespace {

/// An option that several methods share.
struct SharedOption {
  OptionInfo info;
  std::vector<std::string> methods;
  bool same_initial = true;
};

std::vector<SharedOption> shared_options(std::span<const Method* const> methods) {
  std::vector<SharedOption> all;
  for (const Method* const method : methods) {
    for (OptionInfo& info : method->options()) {
      const auto known = std::ranges::find(all, info.name, [](const SharedOption& option) {
        return std::string_view(option.info.name);
      });
      if (known == all.end()) {
        all.push_back({std::move(info), {std::string(method->name())}});
        continue;
      }
      known->methods.emplace_back(method->name());
      known->same_initial = known->same_initial && known->info.initial == info.initial;
    }
  }
  return all;
}

bool is_flag(const OptionInfo& info) {
  return info.choices == std::vector<std::string>{"true", "false"};
}

std::string help_text(const SharedOption& option, std::size_t methods) {
  const auto& info = option.info;
  std::string text = info.help;
  if (!info.choices.empty() && !is_flag(info)) {
    text += fmt::format(": {}", fmt::join(info.choices, ", "));
    if (info.name == "transfer") text += ", or a file with a matrix";
  }
  text += fmt::format(" [default: {}]", option.same_initial ? info.initial : "see mugrad methods");
  if (option.methods.size() < methods) {
    text += fmt::format(" ({})", fmt::join(option.methods, ", "));
  }
  return text;
}

/// Without the step of the plain iteration if another solver is requested.
OptionValues preset_for(const Method& method, const std::string& name, const CLI::App& command) {
  OptionValues values = preset_named(method, name).values;
  if (command.count("--solver") > 0) values.erase("alpha");
  return values;
}

std::string owners_of(std::string_view name) {
  std::vector<std::string_view> owners;
  for (const Method* const method : methods()) {
    if (method->has_option(name)) owners.push_back(method->name());
  }
  return fmt::format("{}", fmt::join(owners, ", "));
}

/// The similarities that --transfer accepts; empty if the method has no such option.
std::vector<std::string> transfer_choices(const Method& method) {
  const auto infos = method.options();
  const auto found = std::ranges::find(infos, std::string("transfer"), &OptionInfo::name);
  return found == infos.end() ? std::vector<std::string>() : found->choices;
}

/// The matrix, if --transfer names a file rather than a similarity.
std::optional<TransferMatrix> given_transfer(const Method& method, const std::string& name,
                                             const Dataset& data) {
  const auto choices = transfer_choices(method);
  if (std::ranges::find(choices, name) != choices.end()) return {};
  if (!std::filesystem::exists(name)) {
    throw UsageError(fmt::format("--transfer {} is neither an existing file nor one of {}", name,
                                 fmt::join(choices, ", ")));
  }
  std::vector<std::string> labels;
  for (Index i = 0; i < data.labels(); ++i) labels.push_back(name_or_number(data.label_names, i));
  return read_transfer(name, labels);
}

/// Adds the flags of an option under one of its names.
void add_flags(CLI::App& command, MethodArguments& arguments, const OptionInfo& info,
               const std::string& name, const std::string& help) {
  std::string& given = arguments.given[name];
  if (is_flag(info)) {
    command.add_flag_callback(
        "--" + name, [&given] { given = "true"; }, help);
    command.add_flag_callback(
        "--no-" + name, [&given] { given = "false"; }, "Turn off --" + name);
    return;
  }
  const char* const type = info.choices.empty()      ? "NUMBER"
                           : info.name == "transfer" ? "NAME|FILE"
                                                     : "NAME";
  suggest(add_value(command, "--" + name, given, type, help), info.choices);
}

/// Adds --preset, if a method has any.
void add_preset(CLI::App& command, MethodArguments& arguments,
                std::span<const Method* const> methods) {
  std::vector<std::string> names, helps;
  for (const Method* const method : methods) {
    for (const Preset& preset : method->traits().presets) {
      names.push_back(preset.name);
      helps.push_back(fmt::format("{}: {} ({})", preset.name, preset.help, method->name()));
    }
  }
  if (names.empty()) return;
  add_value(command, "--preset", arguments.preset, "NAME",
            fmt::format("{}", fmt::join(helps, "; ")))
      ->check(CLI::IsMember(names));
}

}  // namespace

void add_method_choice(CLI::App& command, MethodArguments& arguments) {
  add_default(command, "--method", arguments.method, "Method to train; see mugrad methods")
      ->check(CLI::IsMember(method_choices()));
}

void add_method_options(CLI::App& command, MethodArguments& arguments,
                        std::span<const Method* const> methods) {
  command.option_defaults()->group("Method");
  add_preset(command, arguments, methods);
  const auto options = shared_options(methods);
  for (const SharedOption& option : options) {
    add_flags(command, arguments, option.info, option.info.name, help_text(option, methods.size()));
  }
  command.option_defaults()->group("");  // not in the help
  for (const SharedOption& option : options) {
    const std::string& was = option.info.was;
    if (was.empty() || arguments.given.contains(was)) continue;
    add_flags(command, arguments, option.info, was, "Older name of --" + option.info.name);
  }
  command.option_defaults()->group("Options");
}

void declare_reads(const MethodArguments& arguments, Session& session) {
  const auto given = arguments.given.find("transfer");
  if (given == arguments.given.end()) return;
  const Method& method = method_named(arguments.method);
  const auto choices = transfer_choices(method);
  if (!method.traits().takes_transfer) return;
  if (std::ranges::find(choices, given->second) != choices.end()) return;
  session.files.reads(given->second, "--transfer");
}

OptionValues chosen_values(const MethodArguments& arguments, const CLI::App& command) {
  const Method& method = method_named(arguments.method);
  OptionValues values;
  for (const auto& [name, text] : arguments.given) {
    if (text.empty() && command.get_option("--" + name)->empty()) continue;
    if (!method.has_option(name)) {
      throw UsageError(fmt::format("--{} is not an option of {}; it is an option of {}", name,
                                   arguments.method, owners_of(name)));
    }
    values[name] = text;
  }
  values = method.with_current_names(std::move(values));
  if (!arguments.preset.empty()) {
    values.merge(preset_for(method, arguments.preset, command));
  }
  return values;
}

Setting chosen_setting(const MethodArguments& arguments, const CLI::App& command,
                       const Dataset& data, const OptionValues& usual) {
  const Method& method = method_named(arguments.method);
  Setting setting{.values = chosen_values(arguments, command)};
  setting.values.insert(usual.begin(), usual.end());
  const auto given = setting.values.find("transfer");
  if (!method.traits().takes_transfer || given == setting.values.end()) return setting;
  setting.extras.transfer = given_transfer(method, given->second, data);
  if (setting.extras.transfer) setting.values.erase(given);
  return setting;
}

MgdOptions chosen_mgd_options(const MethodArguments& arguments, const CLI::App& command,
                              const Dataset& data, const OptionValues& usual) {
  auto [values, extras] = chosen_setting(arguments, command, data, usual);
  MgdOptions options = mgd_options(values);
  options.transfer = std::move(extras.transfer);
  return options;
}

}  // namespace mugrad::cli

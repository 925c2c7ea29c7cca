// SPDX-License-Identifier: MIT
#include "choices.h"
#include "commands.h"

#include <mugrad/method/method.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace mugrad::cli {
namespace {

Json as_json(const Method& method) {
  Json options = Json::array();
  for (const auto& info : method.options()) {
    options.push_back({{"name", info.name},
                       {"help", info.help},
                       {"default", info.initial},
                       {"choices", info.choices}});
    if (!info.was.empty()) options.back()["was"] = info.was;
  }
  return {{"name", method.name()}, {"summary", method.summary()}, {"options", options}};
}

std::string options_text(const Method& method) {
  std::size_t widest = 0;
  const auto left = [](const OptionInfo& info) {
    return fmt::format("--{} [{}]", info.name, info.initial);
  };
  for (const auto& info : method.options()) widest = std::max(widest, left(info).size());
  std::string text;
  for (const auto& info : method.options()) {
    text += fmt::format("  {:{}}  {}", left(info), widest, info.help);
    if (!info.choices.empty()) text += fmt::format(": {}", fmt::join(info.choices, ", "));
    if (!info.was.empty()) text += fmt::format(" (--{} still works)", info.was);
    text += '\n';
  }
  return text;
}

void run_methods(const std::string& name, const Session& session) {
  std::vector<const Method*> chosen(methods().begin(), methods().end());
  if (!name.empty()) chosen = {&method_named(name)};
  if (session.json) {
    Json document = Json::array();
    for (const Method* const method : chosen) document.push_back(as_json(*method));
    return session.print_json(document);
  }
  for (const Method* const method : chosen) {
    session.print(fmt::format("{}{}: {}\n{}", method == chosen.front() ? "" : "\n", method->name(),
                              method->summary(), options_text(*method)));
  }
}

}  // namespace

void add_methods(CLI::App& app, Session& session) {
  auto name = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("methods", "List the available methods and their options");
  suggest(add_value(*command, "method", *name, "NAME", "Method to list [default: all]"),
          method_choices());
  add_session_options(*command, session);
  add_examples(*command, "  mugrad methods\n  mugrad methods br");
  command->callback([name, &session] { run_methods(*name, session); });
}

}  // namespace mugrad::cli

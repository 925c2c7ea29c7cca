// SPDX-License-Identifier: MIT
#include "completions.h"

#include "commands.h"

#include <fmt/format.h>

#include <array>

namespace mugrad::cli {
namespace {

struct Shell {
  const char* name;
  std::string (*completions)(const CommandDefinition& program);
};

constexpr std::array kShells = {Shell{"bash", bash_completions}, Shell{"zsh", zsh_completions},
                                Shell{"fish", fish_completions}};

void run_completions(const std::string& name, const CommandDefinition& program,
                     const Session& session) {
  for (const auto& shell : kShells) {
    if (name != shell.name) continue;
    const std::string script = shell.completions(program);
    if (!session.json) return session.print(script);
    return session.print_json({{"shell", name}, {"script", script}});
  }
}

}  // namespace

void add_completions(CLI::App& app, Session& session) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("completions", "Print a script that completes commands");
  std::vector<std::string> names;
  names.reserve(kShells.size());
  for (const auto& known : kShells) names.emplace_back(known.name);
  add_value(*command, "shell", *shell, "SHELL", "The shell that runs the script")
      ->required()
      ->check(CLI::IsMember(names));
  add_session_options(*command, session);
  add_examples(
      *command,
      "  mugrad completions bash > ~/.local/share/bash-completion/completions/mugrad\n"
      "  mugrad completions zsh > ~/.zfunc/_mugrad       # with fpath+=~/.zfunc in ~/.zshrc\n"
      "  mugrad completions fish > ~/.config/fish/completions/mugrad.fish");
  command->callback(
      [shell, &app, &session] { run_completions(*shell, definition_of(app), session); });
}

void add_definitions(CLI::App& app, Session& session) {
  auto form = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("definitions", "Print all commands and options, for packagers");
  command->group("");  // not in the help
  add_value(*command, "form", *form, "FORM", "json, or man for the manual page")
      ->required()
      ->check(CLI::IsMember({"json", "man"}));
  add_examples(*command, "  mugrad definitions man > mugrad.1");
  command->callback([form, &app, &session] {
    const auto program = definition_of(app);
    if (*form == "json") return session.print_json(as_json(program));
    session.print(manual_page(program));
  });
}

}  // namespace mugrad::cli

// SPDX-License-Identifier: MIT
#include "definitions.h"

#include <mugrad/version.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace mugrad::cli {
namespace {

/// Text for roff: hyphens can be copied as such, and no line is taken for a request.
std::string roff_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool begins_line = result.empty() || result.back() == '\n';
    if (begins_line && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else if (c == '\'') {
      result += "\\(aq";
    } else if (c == '^') {
      result += "\\(ha";
    } else if (c == '~') {
      result += "\\(ti";
    } else {
      result += c;
    }
  }
  return result;
}

std::string bold(std::string_view text) { return fmt::format("\\fB{}\\fR", roff_text(text)); }

std::string italic(std::string_view text) { return fmt::format("\\fI{}\\fR", roff_text(text)); }

std::string manual_names(const OptionDefinition& option, bool is_argument) {
  if (is_argument) return italic(option.names.front());
  std::vector<std::string> names;
  for (const auto& name : option.names) names.push_back(bold(name));
  std::string text = fmt::format("{}", fmt::join(names, ", "));
  if (!option.value.empty()) text += " " + italic(option.value);
  return text;
}

/// What the help says, and all that it leaves to the list of choices and defaults.
std::string manual_help(const OptionDefinition& option) {
  std::string text = option.help;
  const auto is_said = [&](const std::string& choice) { return text.find(choice) != text.npos; };
  if (!std::ranges::all_of(option.choices, is_said)) {
    text += fmt::format(". Values: {}", fmt::join(option.choices, ", "));
  }
  if (!option.initial.empty()) text += fmt::format(" [default: {}]", option.initial);
  if (!option.needs.empty()) text += fmt::format(". Needs {}", fmt::join(option.needs, ", "));
  if (!option.excludes.empty()) {
    text += fmt::format(". Not with {}", fmt::join(option.excludes, ", "));
  }
  return text;
}

std::string manual_options(const std::vector<OptionDefinition>& options, bool are_arguments) {
  std::string text, group;
  for (const auto& option : options) {
    if (!are_arguments && option.group != group && option.group != "Options") {
      text += fmt::format(".PP\n{}:\n", roff_text(option.group));
    }
    group = option.group;
    text += fmt::format(".TP\n{}\n{}\n", manual_names(option, are_arguments),
                        roff_text(manual_help(option)));
  }
  return text;
}

std::string manual_synopsis(const CommandDefinition& command) {
  std::string text = bold(command.name());
  if (!command.commands.empty()) text += " " + italic("command");
  text += " [" + italic("options") + "]";
  for (const auto& argument : command.arguments) {
    const std::string name =
        italic(argument.names.front()) + (argument.is_repeated ? " \\|.\\|.\\|." : "");
    text += argument.is_required ? " " + name : " [" + name + "]";
  }
  return text;
}

std::string manual_section(const CommandDefinition& command) {
  const std::string name = command.name();
  std::string text = fmt::format(".SS {}\n{}\n.PP\n{}\n", roff_text(name),
                                 roff_text(command.summary) + ".", manual_synopsis(command));
  text += manual_options(command.arguments, true) + manual_options(command.options, false);
  if (!command.footer.empty()) {
    const auto lines = command.footer.find('\n') + 1;  // after the heading
    text += fmt::format(".PP\nExamples:\n.PP\n.nf\n{}\n.fi\n",
                        roff_text(std::string_view(command.footer).substr(lines)));
  }
  return text;
}

}  // namespace

std::string manual_page(const CommandDefinition& program) {
  std::string text = fmt::format(
      ".TH MUGRAD 1 \"\" \"mugrad {}\" \"User Commands\"\n"
      ".SH NAME\nmugrad \\- learn many related labels at once\n"
      ".SH SYNOPSIS\n{}\n.SH DESCRIPTION\n{}\n",
      kVersion, manual_synopsis(program), roff_text(program.summary));
  text += ".SH OPTIONS\n" + manual_options(program.options, false);
  text += ".SH COMMANDS\n";
  for (const auto* const command : all_commands(program)) {
    if (command != &program) text += manual_section(*command);
  }
  return text;
}

}  // namespace mugrad::cli

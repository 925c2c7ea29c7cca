// SPDX-License-Identifier: MIT
#pragma once

#include "session.h"

#include <mugrad/data/dataset.h>
#include <mugrad/method/method.h>
#include <mugrad/method/mgd.h>

#include <map>
#include <span>

namespace mugrad::cli {

/// How a command is told which method to use, and how.
struct MethodArguments {
  std::string method = "mgd";
  std::string preset;
  /// What was given for each option of any method, by name.
  std::map<std::string, std::string> given;
};

/// Adds --method.
void add_method_choice(CLI::App& command, MethodArguments& arguments);
/// Adds --preset and the options of these methods; what several have in common is one option.
void add_method_options(CLI::App& command, MethodArguments& arguments,
                        std::span<const Method* const> methods);

/// Says that the command reads the file that --transfer names, if it does. Throws as CommandFiles
/// does.
void declare_reads(const MethodArguments& arguments, Session& session);

/// The options for the method chosen: those that the user gave overrule the preset. Throws
/// UsageError for an option that is another method's.
OptionValues chosen_values(const MethodArguments& arguments, const CLI::App& command);

/// Options and what else a method is trained with.
struct Setting {
  OptionValues values = {};
  TrainingExtras extras = {};
};
/// The same; --transfer may name a file with a matrix, which is read for the labels of `data`.
/// Options that are not given are as in `usual`.
Setting chosen_setting(const MethodArguments& arguments, const CLI::App& command,
                       const Dataset& data, const OptionValues& usual = {});
/// The same for the commands that are about MGD alone.
MgdOptions chosen_mgd_options(const MethodArguments& arguments, const CLI::App& command,
                              const Dataset& data, const OptionValues& usual = {});

}  // namespace mugrad::cli

// SPDX-License-Identifier: MIT
#pragma once

#include "session.h"

#include <mugrad/data/dataset.h>
#include <mugrad/method/method.h>
#include <mugrad/method/mgd.h>

#include <map>
#include <span>

namespace mugrad::cli {

/// Arguments that select a method and its options.
struct MethodArguments {
  std::string method = "mgd";
  std::string preset;
  /// The given value of each option of any method, by name or older name.
  std::map<std::string, std::string> given;
};

/// Adds --method.
void add_method_choice(CLI::App& command, MethodArguments& arguments);
/// Adds --preset and the options of these methods; options that several share are added once. Older
/// names of options are flags too, which the help does not list.
void add_method_options(CLI::App& command, MethodArguments& arguments,
                        std::span<const Method* const> methods);

/// Declares that the command reads the file of --transfer, if any. Throws as CommandFiles does.
void declare_reads(const MethodArguments& arguments, Session& session);

/// The options of the chosen method: given options override the preset. Throws UsageError for an
/// option of another method.
OptionValues chosen_values(const MethodArguments& arguments, const CLI::App& command);

/// Options and further inputs of training.
struct Setting {
  OptionValues values = {};
  TrainingExtras extras = {};
};
/// The same; --transfer may name a file with a matrix, which is read for the labels of `data`.
/// Options that are not given are as in `usual`.
Setting chosen_setting(const MethodArguments& arguments, const CLI::App& command,
                       const Dataset& data, const OptionValues& usual = {});
/// The same for commands that are only about MGD.
MgdOptions chosen_mgd_options(const MethodArguments& arguments, const CLI::App& command,
                              const Dataset& data, const OptionValues& usual = {});

}  // namespace mugrad::cli

// SPDX-License-Identifier: MIT
#pragma once

#include "session.h"

#include <mugrad/data/dataset.h>
#include <mugrad/method/mgd.h>

namespace mugrad::cli {

/// How a command is told what MGD is to do.
struct MgdArguments {
  MgdOptions options;
  std::string preset;
  std::string loss, scaling, solver, start, precision;
  std::string transfer;
};

void add_objective_options(CLI::App& command, MgdArguments& arguments);
void add_threshold_option(CLI::App& command, MgdArguments& arguments);
void add_solver_options(CLI::App& command, MgdArguments& arguments);

/// Options that the user gave overrule the preset, which overrules the defaults. A transfer file
/// is read for the labels of `data`.
MgdOptions chosen_options(const MgdArguments& arguments, const CLI::App& command,
                          const Dataset& data);

}  // namespace mugrad::cli

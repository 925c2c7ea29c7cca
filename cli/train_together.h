// SPDX-License-Identifier: MIT
#pragma once

#include "data_arguments.h"
#include "method_arguments.h"
#include "session.h"

#include <mugrad/experiment/tune.h>

#include <filesystem>

namespace mugrad::cli {

/// Arguments for sharing training among the processes of mpirun.
struct SharingArguments {
  int row_shards = 1;
  std::string checkpoint;
  double checkpoint_every = 60;
};

void add_sharing_options(CLI::App& command, SharingArguments& arguments);
/// Declares the checkpoint files, if any. Throws as CommandFiles does.
void declare_writes(const SharingArguments& arguments, Session& session);
/// Throws UsageError if any was given.
void refuse_sharing_options(const CLI::App& command);

/// Trains MGD with all ranks, writes the model and prints a report. `how` says how thresholds
/// are chosen, and whether scores are calibrated. Requires: session.ranks.are_launched().
void train_together(const DataArguments& data, const MethodArguments& method,
                    const TuneOptions& how, const SharingArguments& sharing,
                    const CLI::App& command, const std::filesystem::path& target,
                    const Session& session);

}  // namespace mugrad::cli

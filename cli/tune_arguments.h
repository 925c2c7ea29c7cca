// SPDX-License-Identifier: MIT
#pragma once

#include "session.h"

#include <mugrad/experiment/tune.h>

#include <string>
#include <vector>

namespace mugrad::cli {

/// How a command is told to choose hyper-parameters.
struct TuneArguments {
  TuneOptions options;
  std::string thresholds = "one";
  double holdout = 0;
};

/// Adds --metric, --thresholds, --inner-folds and the like, and returns them.
std::vector<CLI::Option*> add_tune_options(CLI::App& command, TuneArguments& arguments);

/// Without what to search. Throws UsageError.
TuneOptions chosen_tuning(const TuneArguments& arguments, const Session& session);

}  // namespace mugrad::cli

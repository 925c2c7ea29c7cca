// SPDX-License-Identifier: MIT
#pragma once

#include "method_arguments.h"
#include "session.h"

#include <mugrad/experiment/tune.h>

#include <string>
#include <vector>

namespace mugrad::cli {

/// How a command is told to choose hyper-parameters.
struct TuneArguments {
  TuneOptions options;
  std::string metric = to_string(TuneOptions{}.metric);
  std::string thresholds = "one";
  std::string threshold_metric = std::string(to_string(TuneOptions{}.threshold_metric));
  double holdout = 0;
};

/// Adds --metric, --thresholds, --inner-folds and the like, and returns them.
std::vector<CLI::Option*> add_tune_options(CLI::App& command, TuneArguments& arguments);

/// Without what to search. Throws UsageError.
TuneOptions chosen_tuning(const TuneArguments& arguments, const Session& session);
/// With what to search of a method; a threshold that is given is kept. Throws UsageError.
TuneOptions chosen_tuning(const TuneArguments& arguments, const MethodArguments& method,
                          const CLI::App& command, const Session& session);

}  // namespace mugrad::cli

// SPDX-License-Identifier: MIT
#pragma once

#include "method_arguments.h"
#include "progress.h"
#include "session.h"

#include <mugrad/experiment/tune.h>

#include <optional>
#include <string>
#include <vector>

namespace mugrad::cli {

/// Arguments for choosing hyper-parameters.
struct TuneArguments {
  TuneOptions options;
  std::string metric = to_string(TuneOptions{}.metric);
  std::string thresholds = "one";
  std::string threshold_metric = std::string(to_string(TuneOptions{}.threshold_metric));
  double at_precision = 0, at_recall = 0;  ///< targets of thresholds; 0: none
  std::optional<bool> calibrate;           ///< empty: if thresholds are chosen
  double holdout = 0;
  std::string budget;  ///< "90s", "5m", "2h"; empty: no limit
};

/// Adds --metric, --thresholds, --inner-folds and the like, and returns them.
std::vector<CLI::Option*> add_tune_options(CLI::App& command, TuneArguments& arguments);

/// Adds --calibrate and --no-calibrate, for commands that train a model, to the same group.
void add_calibrate_option(CLI::App& command, TuneArguments& arguments);

/// Without the search space. Throws UsageError.
TuneOptions chosen_tuning(const TuneArguments& arguments, const Session& session);
/// With the search space of a method; a given threshold is kept. Throws UsageError.
TuneOptions chosen_tuning(const TuneArguments& arguments, const MethodArguments& method,
                          const CLI::App& command, const Session& session);

/// Whether the command line asks for a choice of thresholds.
bool asks_for_thresholds(const TuneArguments& arguments, const CLI::App& command);
/// Whether a threshold is among the options of the method. Throws UsageError if thresholds are to
/// be chosen, too.
bool has_given_threshold(const TuneArguments& arguments, const OptionValues& values,
                         const CLI::App& command);
/// Keeps the thresholds of the method, and its scores unless a calibration is asked for.
void keep_thresholds(const TuneArguments& arguments, TuneOptions& options);
/// Says what inner folds have decided about a model.
void tell_decisions(const Model& model, const TuneOptions& options, const Session& session);
/// Says what a tuning is based on that was out of time.
std::string out_of_time_text(const Tuning& tuning);
/// Shows in the progress which setting leads.
void show_leader(const Tuning& so_far, ShownProgress& progress);

}  // namespace mugrad::cli

// SPDX-License-Identifier: MIT
#include "tune_arguments.h"

#include <mugrad/core/error.h>

#include <filesystem>

namespace mugrad::cli {

std::vector<CLI::Option*> add_tune_options(CLI::App& command, TuneArguments& arguments) {
  constexpr const char* kGroup = "Tuning";
  auto& options = arguments.options;
  command.add_option("--metric", arguments.metric, "Metric to choose settings by")
      ->capture_default_str()
      ->type_name("NAME")
      ->group(kGroup);
  command
      .add_option("--thresholds", arguments.thresholds,
                  "How to choose thresholds after scoring: one, per-label, cardinality (as "
                  "many labels as in training), keep")
      ->capture_default_str()
      ->type_name("RULE")
      ->group(kGroup);
  command
      .add_option(
          "--threshold-metric", arguments.threshold_metric,
          "Metric to choose thresholds by: micro-f1, macro-f1, f1 (their mean), hamming-loss")
      ->capture_default_str()
      ->type_name("NAME")
      ->group(kGroup);
  auto* folds = command
                    .add_option("--inner-folds", options.inner.folds,
                                "Number of folds of the training data to compare settings on")
                    ->check(CLI::Range(Index{2}, Index{1} << 40))
                    ->capture_default_str()
                    ->type_name("K")
                    ->group(kGroup);
  command.add_option("--holdout", arguments.holdout, "Use one held-out part of this share instead")
      ->check(CLI::Range(0.001, 0.999))
      ->excludes(folds)
      ->type_name("SHARE")
      ->group(kGroup);
  command
      .add_flag("--inner-stratified", options.inner.stratified,
                "Keep every label's share equal in the inner parts")
      ->group(kGroup);
  command.add_option("--draws", options.draws, "Try N random settings, not all")
      ->check(CLI::PositiveNumber)
      ->type_name("N")
      ->group(kGroup);
  command.add_option("--tune-seed", options.seed, "Seed of the inner folds and of random settings")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str()
      ->group(kGroup);
  return command.get_options(
      [&](const CLI::Option* option) { return option->get_group() == kGroup; });
}

TuneOptions chosen_tuning(const TuneArguments& arguments, const Session& session) {
  TuneOptions options = arguments.options;
  options.metric = metric_named(arguments.metric);
  options.thresholds = threshold_rule_named(arguments.thresholds);
  options.threshold_metric = threshold_metric_named(arguments.threshold_metric);
  options.inner.seed = options.seed;
  if (arguments.holdout > 0) {
    options.inner.folds = 1;
    options.inner.train = 1 - arguments.holdout;
  }
  options.threads = session.threads;
  return options;
}

TuneOptions chosen_tuning(const TuneArguments& arguments, const MethodArguments& method,
                          const CLI::App& command, const Session& session) {
  TuneOptions options = chosen_tuning(arguments, session);
  const OptionValues values = chosen_values(method, command);
  if (values.contains("threshold")) {
    if (command.count("--thresholds") > 0 && options.thresholds != ThresholdRule::keep) {
      throw UsageError("--threshold and --thresholds exclude each other: remove one of them");
    }
    options.thresholds = ThresholdRule::keep;
  }
  if (const auto transfer = values.find("transfer");
      transfer != values.end() && std::filesystem::exists(transfer->second)) {
    throw UsageError("--transfer cannot be a file in tuning: name similarities");
  }
  options.search = search_of(method_named(method.method).traits(), values);
  return options;
}

}  // namespace mugrad::cli

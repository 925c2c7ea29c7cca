// SPDX-License-Identifier: MIT
#include "tune_arguments.h"

#include <mugrad/core/error.h>

#include <filesystem>

namespace mugrad::cli {

std::vector<CLI::Option*> add_tune_options(CLI::App& command, TuneArguments& arguments) {
  constexpr const char* kGroup = "Tuning";
  auto& options = arguments.options;
  command.add_option("--metric", options.metric, "What settings are chosen by")
      ->capture_default_str()
      ->type_name("NAME")
      ->group(kGroup);
  command
      .add_option("--thresholds", arguments.thresholds,
                  "How thresholds are chosen after the scores: one, per-label, cardinality (as "
                  "many labels as in training), keep")
      ->capture_default_str()
      ->type_name("RULE")
      ->group(kGroup);
  command
      .add_option(
          "--threshold-metric", options.threshold_metric,
          "What thresholds are chosen by: micro-f1, macro-f1, f1 (their mean), hamming-loss")
      ->capture_default_str()
      ->type_name("NAME")
      ->group(kGroup);
  auto* folds = command
                    .add_option("--inner-folds", options.inner.folds,
                                "Settings are compared on so many folds of the training data")
                    ->check(CLI::Range(Index{2}, Index{1} << 40))
                    ->capture_default_str()
                    ->type_name("K")
                    ->group(kGroup);
  command.add_option("--holdout", arguments.holdout, "On one part of this share instead")
      ->check(CLI::Range(0.001, 0.999))
      ->excludes(folds)
      ->type_name("SHARE")
      ->group(kGroup);
  command
      .add_flag("--inner-stratified", options.inner.stratified,
                "Keep every label's share alike in the inner parts")
      ->group(kGroup);
  command.add_option("--draws", options.draws, "Try so many settings at random, not all")
      ->check(CLI::PositiveNumber)
      ->type_name("N")
      ->group(kGroup);
  command.add_option("--tune-seed", options.seed, "Seed of inner folds and of what is drawn")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str()
      ->group(kGroup);
  return command.get_options(
      [&](const CLI::Option* option) { return option->get_group() == kGroup; });
}

TuneOptions chosen_tuning(const TuneArguments& arguments, const Session& session) {
  TuneOptions options = arguments.options;
  options.thresholds = threshold_rule_named(arguments.thresholds);
  options.inner.seed = options.seed;
  if (arguments.holdout > 0) {
    options.inner.folds = 1;
    options.inner.train = 1 - arguments.holdout;
  }
  larger_is_better(options.metric);
  options.threads = session.threads;
  return options;
}

TuneOptions chosen_tuning(const TuneArguments& arguments, const MethodArguments& method,
                          const CLI::App& command, const Session& session) {
  TuneOptions options = chosen_tuning(arguments, session);
  const OptionValues values = chosen_values(method, command);
  if (values.contains("threshold")) {
    if (command.count("--thresholds") > 0 && options.thresholds != ThresholdRule::keep) {
      throw UsageError("--threshold gives the threshold that --thresholds is to choose");
    }
    options.thresholds = ThresholdRule::keep;
  }
  if (const auto transfer = values.find("transfer");
      transfer != values.end() && std::filesystem::exists(transfer->second)) {
    throw UsageError(
        "a matrix of one's own cannot be tuned with: name similarities for --transfer");
  }
  options.search = search_of(method_named(method.method).traits(), values);
  return options;
}

}  // namespace mugrad::cli

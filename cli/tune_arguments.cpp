// SPDX-License-Identifier: MIT
#include "tune_arguments.h"

#include "choices.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>

namespace mugrad::cli {

namespace {

/// "90s", "5m", "2h" or "90", as seconds.
std::chrono::duration<double> budget_of(std::string_view text) {
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit(end, text.data() + text.size());
  const double seconds = unit.empty() || unit == "s" ? 1
                         : unit == "m"               ? 60
                         : unit == "h"               ? 3600
                                                     : 0;
  constexpr double kMost = 1e9;
  if (code == std::errc{} && seconds > 0 && value > 0 && value * seconds <= kMost) {
    return std::chrono::duration<double>(value * seconds);
  }
  throw UsageError(fmt::format("--budget must be a time such as 90s, 5m or 2h, got '{}'", text));
}

constexpr const char* kGroup = "Tuning";

}  // namespace

namespace {

void add_threshold_choices(CLI::App& command, TuneArguments& arguments) {
  using enum ThresholdRule;
  suggest(add_default(command, "--thresholds", arguments.thresholds,
                      "How to choose thresholds after scoring: one, per-label, cardinality (as "
                      "many labels as in training), keep")
              ->type_name("RULE"),
          choices_of({one, per_label, cardinality, keep}));
  using By = ThresholdMetric;
  suggest(add_default(
              command, "--threshold-metric", arguments.threshold_metric,
              "Metric to choose thresholds by: micro-f1, macro-f1, f1 (their mean), hamming-loss")
              ->type_name("NAME"),
          choices_of({By::micro_f1, By::macro_f1, By::f1, By::hamming_loss}));
}

}  // namespace

std::vector<CLI::Option*> add_tune_options(CLI::App& command, TuneArguments& arguments) {
  command.option_defaults()->group(kGroup);
  auto& options = arguments.options;
  suggest(add_default(command, "--metric", arguments.metric, "Metric to choose settings by")
              ->type_name("NAME"),
          metric_choices());
  add_threshold_choices(command, arguments);
  auto* const precision = add_value(
      command, "--at-precision", arguments.at_precision, "SHARE",
      "Choose the threshold with the highest recall at this precision, over all labels or for each "
      "(--thresholds one or per-label)");
  precision->check(CLI::Range(0.001, 1.0));
  add_value(command, "--at-recall", arguments.at_recall, "SHARE",
            "Choose the threshold with the highest precision at this recall")
      ->check(CLI::Range(0.001, 1.0))
      ->excludes(precision);
  auto* folds = add_default(command, "--inner-folds", options.inner.folds,
                            "Number of folds of the training data to compare settings on; common "
                            "thresholds of train take fewer folds of many rows, unless given")
                    ->each([&](const std::string&) { options.inner.enough_rows = 0; })
                    ->check(CLI::Range(Index{2}, Index{1} << 40))
                    ->type_name("K");
  add_value(command, "--holdout", arguments.holdout, "SHARE",
            "Use one held-out part of this share instead")
      ->check(CLI::Range(0.001, 0.999))
      ->excludes(folds);
  command.add_flag("--inner-stratified", options.inner.stratified,
                   "Keep every label's share equal in the inner parts");
  add_value(command, "--budget", arguments.budget, "TIME",
            "End tuning after this time, with the best so far: 90s, 5m or 2h");
  add_value(command, "--draws", options.draws, "N", "Try N random settings of each stage, not all")
      ->check(CLI::PositiveNumber);
  add_default(command, "--tune-seed", options.seed,
              "Seed of the inner folds and of random settings")
      ->check(CLI::NonNegativeNumber);
  command.option_defaults()->group("Options");
  return command.get_options(
      [&](const CLI::Option* option) { return option->get_group() == kGroup; });
}

void add_calibrate_option(CLI::App& command, TuneArguments& arguments) {
  auto* const yes = command.add_flag_callback(
      "--calibrate", [&] { arguments.calibrate = true; },
      "Turn scores into calibrated probabilities by inner folds; probabilities only if that lowers "
      "their log loss by 2.5 % [default: if thresholds are chosen]");
  auto* const no = command.add_flag_callback(
      "--no-calibrate", [&] { arguments.calibrate = false; }, "Leave scores as they are");
  yes->group(kGroup);
  no->group(kGroup)->excludes(yes);
}

TuneOptions chosen_tuning(const TuneArguments& arguments, const Session& session) {
  TuneOptions options = arguments.options;
  options.metric = metric_named(arguments.metric);
  options.thresholds = threshold_rule_named(arguments.thresholds);
  options.calibrate = arguments.calibrate.value_or(options.thresholds != ThresholdRule::keep);
  options.threshold_metric = threshold_metric_named(arguments.threshold_metric);
  using Quantity = ThresholdTarget::Quantity;
  if (arguments.at_precision > 0) {
    options.threshold_target = {Quantity::precision, arguments.at_precision};
  } else if (arguments.at_recall > 0) {
    options.threshold_target = {Quantity::recall, arguments.at_recall};
  }
  if (options.threshold_target && options.thresholds != ThresholdRule::one &&
      options.thresholds != ThresholdRule::per_label) {
    throw UsageError("--at-precision and --at-recall need --thresholds one or per-label");
  }
  options.inner.seed = options.seed;
  if (arguments.holdout > 0) {
    options.inner.folds = 1;
    options.inner.train = 1 - arguments.holdout;
  }
  options.threads = session.threads;
  if (!arguments.budget.empty()) {
    if (session.ranks.are_launched()) throw UsageError("--budget cannot be used under mpirun");
    const auto budget = budget_of(arguments.budget);
    options.is_out_of_time = [started = std::chrono::steady_clock::now(), budget] {
      return std::chrono::steady_clock::now() - started >= budget;
    };
  }
  return options;
}

TuneOptions chosen_tuning(const TuneArguments& arguments, const MethodArguments& method,
                          const CLI::App& command, const Session& session) {
  TuneOptions options = chosen_tuning(arguments, session);
  const OptionValues values = chosen_values(method, command);
  if (has_given_threshold(arguments, values, command)) keep_thresholds(arguments, options);
  if (const auto transfer = values.find("transfer");
      transfer != values.end() && std::filesystem::exists(transfer->second)) {
    throw UsageError("--transfer cannot be a file in tuning: name similarities");
  }
  options.search = search_of(method_named(method.method).traits(), values);
  return options;
}

bool asks_for_thresholds(const TuneArguments& arguments, const CLI::App& command) {
  if (arguments.thresholds == to_string(ThresholdRule::keep)) return false;
  return command.count("--thresholds") + command.count("--at-precision") +
             command.count("--at-recall") >
         0;
}

bool has_given_threshold(const TuneArguments& arguments, const OptionValues& values,
                         const CLI::App& command) {
  if (!values.contains("threshold")) return false;
  if (!asks_for_thresholds(arguments, command)) return true;
  throw UsageError(
      "--threshold excludes --thresholds, --at-precision and --at-recall: remove one of them");
}

void keep_thresholds(const TuneArguments& arguments, TuneOptions& options) {
  options.thresholds = ThresholdRule::keep;
  options.threshold_target.reset();
  options.calibrate = arguments.calibrate.value_or(false);
}

void tell_decisions(const Model& model, const TuneOptions& options, const Session& session) {
  const auto& contents = model.contents();
  if (options.thresholds != ThresholdRule::keep) {
    session.note(fmt::format("threshold: {}", thresholds_text(contents.thresholds)));
  }
  if (!contents.calibration.is_empty()) session.note("scores: calibrated by inner folds");
}

std::string out_of_time_text(const Tuning& tuning) {
  if (tuning.parts == 0) return "time was up before a setting was tried: the usual one is used";
  const auto tried = std::ranges::count_if(
      tuning.trials, [&](const Trial& trial) { return trial.parts >= tuning.parts; });
  return fmt::format("time was up: the best of {} settings tried on {} inner part{}", tried,
                     tuning.parts, tuning.parts == 1 ? "" : "s");
}

void show_leader(const Tuning& so_far, ShownProgress& progress) {
  const Trial& best = so_far.best_trial();
  progress.describe(fmt::format("best so far: {} ({} {:.4f})", settings_text(best.values),
                                to_string(so_far.metric), best.mean));
}

}  // namespace mugrad::cli

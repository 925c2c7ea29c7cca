// SPDX-License-Identifier: MIT
#include "core/stages.h"
#include "experiment/evaluate_model.h"

#include <mugrad/core/error.h>
#include <mugrad/experiment/compare.h>

#include <fmt/format.h>

namespace mugrad {
namespace {

/// All metrics that the model and the size of the test part permit, under scikit-learn's
/// convention, and macro-F1 under Mulan's.
std::map<Metric, double> metrics_of(const Model& model, const Dataset& test, Threads threads) {
  const auto scores = model.scores(test.x, threads);
  std::map<Metric, double> metrics;
  const Evaluation evaluation =
      evaluate_model(model, scores, test, Convention::sklearn, kUsualKeptScores);
  for (const auto& [metric, value, skipped] : evaluation.metrics) metrics[metric] = value;
  metrics[kMulanMacroF1] = metric_of(model, scores, test, kMulanMacroF1);
  return metrics;
}

Record train_best(const Split& split, const std::string& method, const Trial& trial,
                  const TuneOptions& options, Progress* progress) {
  const Model model = fit_as_tried(split.train, method_named(method), trial, options, progress);
  return {.options = trial.values,
          .thresholds = thresholds_text(model.contents().thresholds),
          .metrics = metrics_of(model, split.test, options.threads)};
}

Record train_as_it_is(const Split& split, const Contender& contender, Threads threads,
                      Progress* progress) {
  return train_best(split, contender.method, {.values = contender.tuning.search.fixed},
                    {.threads = threads}, progress);
}

/// Every metric at its best setting. Settings that are best by several are trained once.
Record train_for_each(const Split& split, const std::string& method, const Tuning& tuning,
                      const TuneOptions& options, Progress* progress) {
  struct Wanted {
    Metric metric;
    Trial trial;
  };
  std::map<OptionValues, std::vector<Wanted>> by_setting;
  for (const auto& metric : tuned_metrics(tuning.trials)) {
    Trial trial = best_for(metric, tuning, options);
    auto& wanted = by_setting[trial.values];
    wanted.push_back({metric, std::move(trial)});
  }
  Record record{.thresholds = "one for each metric"};
  Stages stages(progress);
  Index done = 0;
  for (const auto& [values, all_wanted] : by_setting) {
    stages.enter(share_of(done, std::ssize(by_setting)),
                 share_of(done + 1, std::ssize(by_setting)));
    ++done;
    const Model model = method_named(method).fit(split.train, values, options.threads, &stages);
    const auto scores = model.scores(split.test.x, options.threads);
    for (const auto& [metric, trial] : all_wanted) {
      const Model here = trial.thresholds.empty() ? model : model.with_thresholds(trial.thresholds);
      record.options["for " + to_string(metric)] = settings_text(values);
      record.metrics[metric] = metric_of(here, scores, split.test, metric);
    }
  }
  return record;
}

}  // namespace

std::string to_text(const OuterProtocol& protocol) {
  const char* kind = protocol.stratified ? "stratified" : "random";
  if (protocol.folds > 0) {
    return fmt::format("{} {} folds, {} times, seed {}", protocol.folds, kind, protocol.repeats,
                       protocol.seed);
  }
  return fmt::format("{} {} splits, {:g} % to train on, seed {}", protocol.repeats, kind,
                     100 * protocol.train, protocol.seed);
}

PlannedSplits outer_splits(const Dataset& data, const OuterProtocol& protocol) {
  return {data.y,
          {.repeats = protocol.repeats,
           .train = protocol.train,
           .folds = protocol.folds,
           .stratified = protocol.stratified,
           .seed = protocol.seed}};
}

Record run_once(const Split& split, const Contender& contender, Threads threads,
                Progress* progress) {
  try {
    if (!contender.is_tuned()) return train_as_it_is(split, contender, threads, progress);
    // Most of the work is in the trials.
    Stages stages(progress);
    stages.enter(0, 0.9);
    TuneOptions options = contender.tuning;
    options.threads = threads;
    const Tuning tuning = tune(split.train, method_named(contender.method), options, &stages);
    stages.enter(0.9, 1);
    return contender.tuning.for_each_metric
               ? train_for_each(split, contender.method, tuning, options, &stages)
               : train_best(split, contender.method, tuning.best_trial(), options, &stages);
  } catch (const InterruptedError&) {
    throw;
  } catch (const Error& error) {
    return {.failure = error.what()};
  }
}

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#include "core/stages.h"
#include "experiment/judge.h"

#include <mugrad/core/error.h>
#include <mugrad/experiment/compare.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace mugrad {
namespace {

constexpr Metric kMulanMacroF1 = {.measure = Measure::macro_f1, .convention = Convention::mulan};

/// What people compare by, all of it under scikit-learn's convention, and macro-F1 under Mulan's,
/// which counts a label that is neither there nor predicted as perfect.
std::map<Metric, double> metrics_of(const Model& model, const Dataset& test, Threads threads) {
  const auto scores = model.scores(test.x, threads);
  std::map<Metric, double> metrics;
  for (const auto& [metric, value, skipped] : judge(model, scores, test).metrics) {
    metrics[metric] = value;
  }
  metrics[kMulanMacroF1] = judge(model, scores, test, kMulanMacroF1.convention)[kMulanMacroF1];
  return metrics;
}

Record train_best(const Split& split, const std::string& method, const Trial& trial,
                  Threads threads, Progress* progress) {
  const Model model = fit_as_tried(split.train, method_named(method), trial, threads, progress);
  return {.options = trial.values,
          .thresholds = thresholds_text(model.contents().thresholds),
          .metrics = metrics_of(model, split.test, threads)};
}

Record train_as_it_is(const Split& split, const Contender& contender, Threads threads,
                      Progress* progress) {
  return train_best(split, contender.method, {.values = contender.tuning.search.fixed}, threads,
                    progress);
}

/// Every metric at what is best by it. Settings that are best by several are trained once.
Record train_for_each(const Split& split, const std::string& method, const Tuning& tuning,
                      const TuneOptions& options, Progress* progress) {
  struct Wanted {
    Metric metric;
    Trial trial;
  };
  std::map<OptionValues, std::vector<Wanted>> by_setting;
  std::vector<Metric> metrics;
  for (const auto& [metric, mean] : tuning.best_trial().metrics) metrics.push_back(metric);
  metrics.push_back(kMulanMacroF1);
  for (const auto& metric : metrics) {
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
    for (const auto& [metric, trial] : all_wanted) {
      const Model here = trial.thresholds.empty() ? model : model.with_thresholds(trial.thresholds);
      record.options["for " + to_string(metric)] = settings_text(values);
      record.metrics[metric] = metrics_of(here, split.test, options.threads).at(metric);
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
    // Most of the work is in the trials, by and large.
    Stages stages(progress);
    stages.enter(0, 0.9);
    TuneOptions options = contender.tuning;
    options.threads = threads;
    const Tuning tuning = tune(split.train, method_named(contender.method), options, &stages);
    stages.enter(0.9, 1);
    return contender.is_tuned_for_each
               ? train_for_each(split, contender.method, tuning, options, &stages)
               : train_best(split, contender.method, tuning.best_trial(), threads, &stages);
  } catch (const InterruptedError&) {
    throw;
  } catch (const Error& error) {
    return {.failure = error.what()};
  }
}

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#include "experiment/shared_progress.h"

#include <mugrad/core/error.h>
#include <mugrad/experiment/tune.h>
#include <mugrad/model/scorer.h>
#include <mugrad/parallel/thread_pool.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace mugrad {
namespace {

constexpr Index kRowsAtOnce = 1024;

/// It depends on thresholds, and counts per label are not enough for it.
bool needs_whole_rows(const Metric& metric) { return metric.measure == Measure::subset_accuracy; }

void check(const TuneOptions& options) {
  if (options.thresholds != ThresholdRule::keep && needs_whole_rows(options.metric)) {
    throw UsageError(
        fmt::format("settings cannot be chosen by {} together with thresholds: keep the method's "
                    "own, or choose "
                    "by micro-f1, macro-f1 or hamming-loss",
                    to_string(options.metric)));
  }
  const auto searched = [&](const Dimension& dimension) { return dimension.option == "threshold"; };
  if (std::ranges::any_of(options.search.space, searched)) {
    throw UsageError(
        "the threshold is not searched for like other options: choose a rule for thresholds");
  }
}

/// The mean of a trial by a metric, at thresholds chosen by another where they are chosen. A metric
/// that depends on thresholds then has one score, of all inner test parts together.
void judge_by(const Metric& metric, ThresholdMetric threshold_metric, const TuneOptions& options,
              Trial& trial) {
  // What was measured on the inner parts is under the convention of the options.
  Metric measured = metric;
  measured.convention = options.metric.convention;
  trial.mean = trial.metrics.at(measured);
  if (!trial.counts) return;
  trial.thresholds = trial.counts->choose(options.thresholds, threshold_metric, metric.convention);
  const auto by = threshold_metric_of(metric.measure);
  if (!by) return;
  trial.mean = trial.counts->value(trial.thresholds, *by, metric.convention);
  trial.scores = {trial.mean};
}

/// What the inner test parts say of one setting.
class TrialRecord {
 public:
  TrialRecord(OptionValues values, const TuneOptions& options, std::size_t parts)
      : options_(options), trial_{.values = std::move(values)}, is_judged_(parts) {
    trial_.scores.assign(parts, std::numeric_limits<double>::quiet_NaN());
  }

  void fail(std::string reason) { trial_.failure = std::move(reason); }
  bool is_judged(std::size_t part) const { return is_judged_[part]; }

  /// A model trained without the rows of this part. Throws InterruptedError when `progress` says
  /// so; the part is then not judged.
  void judge(std::size_t part, const Model& model, const Dataset& test, Threads threads,
             SharedProgress& progress) {
    const auto& thresholds = model.contents().thresholds;
    Evaluator evaluator(test.labels(),
                        {.thresholds = thresholds, .convention = options_.metric.convention});
    std::optional<ThresholdCounts> counts = trial_.counts;
    if (options_.thresholds != ThresholdRule::keep && !counts) {
      counts.emplace(test.labels(), score_range(model.contents().head), thresholds.front());
    }
    Scorer scorer(model, threads);
    Matrix<double> scores(std::min(kRowsAtOnce, test.rows()), test.labels());
    for (Index begin = 0; begin < test.rows(); begin += kRowsAtOnce) {
      const Index end = std::min(test.rows(), begin + kRowsAtOnce);
      advance(&progress, 0);
      scorer.scores(test.x, begin, end, scores);
      for (Index row = begin; row < end; ++row) {
        evaluator.add(scores.row(row - begin), test.y.row(row), test.unknown_of(row));
        if (counts) counts->add(scores.row(row - begin), test.y.row(row), test.unknown_of(row));
      }
    }
    const Evaluation evaluation = evaluator.finish();
    for (const auto& [metric, value, skipped] : evaluation.metrics) {
      trial_.metrics[metric] += value / static_cast<double>(trial_.scores.size());
    }
    trial_.counts = std::move(counts);
    trial_.scores[part] = evaluation[options_.metric];
    is_judged_[part] = true;
  }

  Trial finish() { return finished(std::move(trial_)); }

  /// How the setting did on the parts that were judged; none when it was on no part.
  std::optional<Trial> so_far() const {
    const auto judged = std::ranges::count(is_judged_, true);
    if (judged == 0 && trial_.failure.empty()) return std::nullopt;
    Trial trial = trial_;
    trial.scores.clear();
    for (std::size_t part = 0; part < is_judged_.size(); ++part) {
      if (is_judged_[part]) trial.scores.push_back(trial_.scores[part]);
    }
    const double all = static_cast<double>(is_judged_.size());
    for (auto& [metric, value] : trial.metrics) value *= all / static_cast<double>(judged);
    trial = finished(std::move(trial));
    trial.counts.reset();
    return trial;
  }

 private:
  Trial finished(Trial trial) const {
    if (!trial.failure.empty()) {
      trial.scores.clear();
      trial.metrics.clear();
      trial.counts.reset();
      trial.mean = std::numeric_limits<double>::quiet_NaN();
      return trial;
    }
    judge_by(options_.metric, options_.threshold_metric, options_, trial);
    return trial;
  }

  const TuneOptions& options_;
  Trial trial_;
  std::vector<bool> is_judged_;
};

using SettingGroups = std::vector<std::vector<std::size_t>>;

/// Settings that are tried together, of which peers take turns.
SettingGroups own_groups(const Method& method, const std::vector<OptionValues>& settings,
                         const TuneOptions& options) {
  auto all = method.groups(settings);
  if (options.peers == nullptr) return all;
  SettingGroups own;
  for (std::size_t g = options.peers->number; g < all.size(); g += options.peers->count) {
    own.push_back(all[g]);
  }
  return own;
}

/// These settings on one inner split, groups of them side by side.
void try_all(const Method& method, const Split& split, std::size_t part,
             const SettingGroups& groups, const std::vector<OptionValues>& settings,
             const TuneOptions& options, std::vector<TrialRecord>& records,
             SharedProgress& progress) {
  if (groups.empty()) return;
  const int threads = options.threads.resolved();
  const int workers = std::min(threads, static_cast<int>(groups.size()));
  const Threads within{std::max(1, threads / workers)};
  ThreadPool pool(Threads{workers});
  pool.run(static_cast<Index>(groups.size()), [&](Index g) {
    const auto& members = groups[static_cast<std::size_t>(g)];
    std::vector<OptionValues> group;
    for (const std::size_t k : members) {
      group.push_back(settings[k]);
      group.back().insert(options.search.trial_only.begin(), options.search.trial_only.end());
    }
    const auto judge = [&](std::size_t k, const Model& model) {
      records[members[k]].judge(part, model, split.test, within, progress);
      progress.add_done();
    };
    try {
      method.fit_each(split.train, group, within, &progress, judge);
    } catch (const DivergenceError&) {
      // Which one it was a path does not tell: those that it had not come to are tried alone.
      for (std::size_t k = 0; k < group.size(); ++k) {
        if (records[members[k]].is_judged(part)) continue;
        try {
          judge(k, method.fit(split.train, group[k], within, &progress));
        } catch (const DivergenceError& error) {
          records[members[k]].fail(error.what());
          progress.add_done();
        }
      }
    }
  });
}

/// The best of those that have a mean, or trials.size().
std::size_t best_or_none(const std::vector<Trial>& trials, const Metric& metric) {
  const double sign = larger_is_better(metric) ? 1 : -1;
  std::size_t best = trials.size();
  for (std::size_t k = 0; k < trials.size(); ++k) {
    if (std::isnan(trials[k].mean)) continue;
    if (best == trials.size() || sign * trials[k].mean > sign * trials[best].mean) best = k;
  }
  return best;
}

std::size_t best_of(const std::vector<Trial>& trials, const Metric& metric) {
  const std::size_t best = best_or_none(trials, metric);
  if (best < trials.size()) return best;
  const auto& reason = trials.front().failure;
  const auto text = fmt::format("none of the {} settings could be judged by {}{}{}", trials.size(),
                                to_string(metric), reason.empty() ? "" : ": ", reason);
  if (!reason.empty()) throw DivergenceError(text);
  throw InputError(text);
}

/// Tells how far all settings are, if anyone wants to know and there is something to tell.
void keep(const std::vector<TrialRecord>& records, std::size_t parts, const TuneOptions& options) {
  if (!options.keep) return;
  Tuning tuning{.metric = options.metric, .trials = {}, .parts = static_cast<Index>(parts)};
  for (const TrialRecord& record : records) {
    if (auto trial = record.so_far()) tuning.trials.push_back(std::move(*trial));
  }
  tuning.best = best_or_none(tuning.trials, options.metric);
  if (tuning.best < tuning.trials.size()) options.keep(tuning);
}

}  // namespace

PlannedSplits inner_splits(const Dataset& data, const InnerProtocol& protocol) {
  if (protocol.folds < 1) {
    throw UsageError(fmt::format("there must be at least one inner split, got {}", protocol.folds));
  }
  return {data.y,
          {.train = protocol.train,
           .folds = protocol.folds == 1 ? 0 : protocol.folds,
           .stratified = protocol.stratified,
           .seed = protocol.seed}};
}

Tuning tune(const Dataset& data, const Method& method, const TuneOptions& options,
            Progress* progress) {
  check(options);
  const auto settings = options.draws > 0
                            ? drawn_settings(options.search, options.draws, options.seed)
                            : all_settings(options.search);
  for (const auto& values : settings) method.check(values);
  auto splits = inner_splits(data, options.inner);
  const auto parts = static_cast<std::size_t>(splits.count());
  std::vector<TrialRecord> records;
  records.reserve(settings.size());
  for (const auto& values : settings) records.emplace_back(values, options, parts);

  const auto groups = own_groups(method, settings, options);
  std::vector<char> tried(settings.size(), 0);
  for (const auto& group : groups) {
    for (const std::size_t k : group) tried[k] = 1;
  }
  const auto runs = static_cast<std::size_t>(std::ranges::count(tried, 1)) * parts;
  SharedProgress shared(progress, static_cast<Index>(std::max<std::size_t>(1, runs)));
  for (std::size_t part = 0; part < parts; ++part) {
    try {
      const Split split = take(data, splits.at(static_cast<Index>(part), &shared));
      try_all(method, split, part, groups, settings, options, records, shared);
    } catch (const InterruptedError&) {
      // Later, some settings have been judged on more parts than others: they cannot be compared.
      if (part == 0) keep(records, 1, options);
      throw;
    }
    if (part + 1 < parts) keep(records, part + 1, options);
  }
  Tuning tuning{.metric = options.metric, .trials = {}, .parts = static_cast<Index>(parts)};
  for (std::size_t k = 0; k < records.size(); ++k) {
    if (tried[k]) {
      tuning.trials.push_back(records[k].finish());
      if (options.peers != nullptr) tuning.trials.back().counts.reset();
    } else {
      tuning.trials.push_back({.values = settings[k]});
    }
  }
  if (options.peers != nullptr) options.peers->exchange(tuning.trials, tried);
  tuning.best = best_of(tuning.trials, options.metric);
  return tuning;
}

Trial best_for(const Metric& metric, const Tuning& tuning, const TuneOptions& options) {
  const ThresholdMetric threshold_metric =
      threshold_metric_of(metric.measure).value_or(options.threshold_metric);
  std::vector<Trial> trials;
  for (const Trial& tried : tuning.trials) {
    // Counts are large, and the one that is chosen has no more use for them.
    Trial& trial = trials.emplace_back(tried);
    if (trial.failure.empty()) {
      judge_by(metric, threshold_metric, options, trial);
      // It was judged at the method's thresholds, and so it is used.
      if (needs_whole_rows(metric)) trial.thresholds.clear();
    }
    trial.counts.reset();
  }
  return trials[best_of(trials, metric)];
}

Model fit_as_tried(const Dataset& data, const Method& method, const Trial& trial, Threads threads,
                   Progress* progress) {
  const Model model = method.fit(data, trial.values, threads, progress);
  return trial.thresholds.empty() ? model : model.with_thresholds(trial.thresholds);
}

}  // namespace mugrad

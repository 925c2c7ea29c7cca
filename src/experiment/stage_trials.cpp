// SPDX-License-Identifier: MIT
#include "experiment/stage_trials.h"

#include "experiment/held_out_counts.h"
#include "model/model_bytes.h"

#include <mugrad/core/error.h>
#include <mugrad/parallel/thread_pool.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace mugrad {
namespace {

std::vector<std::size_t> better_half(const std::vector<Trial>& trials, const Metric& metric) {
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < trials.size(); ++k) {
    if (!std::isnan(trials[k].mean)) order.push_back(k);
  }
  const double sign = larger_is_better(metric) ? 1 : -1;
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return sign * trials[a].mean > sign * trials[b].mean;
  });
  order.resize((order.size() + 1) / 2);
  return order;
}

/// Whether the settings differ in one option only.
bool differ_in_one_option(const std::vector<OptionValues>& settings) {
  std::set<std::string_view> differing;
  for (const OptionValues& values : settings) {
    for (const auto& [option, value] : values) {
      const auto first = settings.front().find(option);
      if (first == settings.front().end() || first->second != value) differing.insert(option);
    }
  }
  return differing.size() == 1;
}

constexpr std::size_t kPatience = 2;  // how many worse settings end a path

/// Whether the last trials are worse than one before them. Equal ones are not worse: scores of
/// settings that predict nothing often are.
bool has_passed_its_best(const std::vector<Trial>& trials, const Metric& metric) {
  const std::size_t best = best_or_none(trials, 1, metric);
  if (best == trials.size()) return true;  // the metric is not defined for these scores
  std::size_t last = best;
  for (std::size_t k = best; k < trials.size(); ++k) {
    if (trials[k].mean == trials[best].mean) last = k;
  }
  return last + kPatience < trials.size();
}

}  // namespace

std::size_t best_or_none(const std::vector<Trial>& trials, Index parts, const Metric& metric) {
  const double sign = larger_is_better(metric) ? 1 : -1;
  std::size_t best = trials.size();
  for (std::size_t k = 0; k < trials.size(); ++k) {
    if (std::isnan(trials[k].mean) || trials[k].parts < parts) continue;
    if (best == trials.size() || sign * trials[k].mean > sign * trials[best].mean) best = k;
  }
  return best;
}

std::size_t best_of(const std::vector<Trial>& trials, Index parts, const Metric& metric) {
  const std::size_t best = best_or_none(trials, parts, metric);
  if (best < trials.size()) return best;
  const auto& reason = trials.front().failure;
  const auto text =
      fmt::format("none of the {} settings could be evaluated by {}{}{}", trials.size(),
                  to_string(metric), reason.empty() ? "" : ": ", reason);
  if (!reason.empty()) throw DivergenceError(text);
  throw InputError(text);
}

std::vector<Trial> by_metric(const Metric& metric, std::vector<Trial> trials,
                             const TuneOptions& options) {
  const ThresholdMetric threshold_metric =
      threshold_metric_of(metric.measure).value_or(options.threshold_metric);
  for (Trial& trial : trials) {
    if (!trial.metrics.empty()) {
      evaluate_by(metric, threshold_metric, options, trial);
      // It was evaluated at the method's thresholds, so these are used.
      if (needs_whole_rows(metric)) trial.thresholds.clear();
    }
    trial.counts.reset();  // large, and no longer needed
  }
  return trials;
}

void for_each_tuned(const std::vector<Trial>& trials, const TuneOptions& options,
                    const std::function<void(const Metric&, const std::vector<Trial>&)>& visit) {
  if (!options.for_each_metric) return visit(options.metric, trials);
  for (const Metric& metric : tuned_metrics(trials)) {
    visit(metric, by_metric(metric, trials, options));
  }
}

StageTrials::StageTrials(const Method& method, const TuneOptions& options,
                         RepresentedSplits& represented, std::vector<OptionValues> settings,
                         Index kept_scores, std::size_t parts)
    : method_(method),
      options_(options),
      represented_(represented),
      settings_(std::move(settings)),
      parts_(parts),
      models_(settings_.size(), std::vector<std::shared_ptr<const Model>>(parts)),
      is_alive_(settings_.size(), 1),
      is_own_(settings_.size(), options.peers == nullptr ? 1 : 0) {
  records_.reserve(settings_.size());
  for (const auto& values : settings_) records_.emplace_back(values, options_, kept_scores, parts_);
  if (options_.peers == nullptr) return;
  // Peers take turns with groups of settings.
  const auto groups = method_.groups(settings_);
  for (std::size_t g = options_.peers->number; g < groups.size(); g += options_.peers->count) {
    for (const std::size_t k : groups[g]) is_own_[k] = 1;
  }
}

Index StageTrials::own_runs() const { return std::ranges::count(is_own_, 1) * as_index(parts_); }

void StageTrials::try_part(std::size_t part, const Split& split, SharedProgress& progress) {
  std::vector<std::size_t> members;
  std::vector<OptionValues> values;
  for (std::size_t k = 0; k < settings_.size(); ++k) {
    if (!is_own_[k] || !is_alive_[k]) continue;
    members.push_back(k);
    values.push_back(settings_[k]);
  }
  if (members.empty()) return;
  auto groups = method_.groups(values);
  for (auto& group : groups) {
    for (std::size_t& k : group) k = members[k];
  }
  const int threads = options_.threads.resolved();
  const int workers = std::min(threads, static_cast<int>(groups.size()));
  const Threads within{std::max(1, threads / workers)};
  ThreadPool pool(Threads{workers});
  pool.run(std::ssize(groups),
           [&](Index g) { try_group(part, split, groups[as_size(g)], within, progress); });
}

void StageTrials::try_group(std::size_t part, const Split& given,
                            const std::vector<std::size_t>& members, Threads within,
                            SharedProgress& progress) {
  std::vector<OptionValues> group = as_tried(members);
  const bool may_end_early =
      part == 0 && parts_ > 1 && options_.search.is_usual && differ_in_one_option(group);
  RepresentedSplits::Represented represented;
  // A start is for rows as they are, and training says so.
  if (!options_.extras.start) {
    represented = represented_.find(part, given, method_, group, within, &progress);
  }
  if (represented.split != nullptr) group = std::move(represented.settings);
  const Split& split = represented.split != nullptr ? *represented.split : given;
  std::vector<std::size_t> tried;
  const auto evaluate_setting = [&](std::size_t k, const Model& model) {
    records_[members[k]].evaluate_part(part, model, split.test, within, progress);
    if (keeps(model)) models_[members[k]][part] = std::make_shared<const Model>(model);
    progress.add_done(1);
    tried.push_back(members[k]);
    return !may_end_early || is_worth_following(tried);
  };
  try {
    if (group.size() == 1) {
      evaluate_setting(0, method_.fit(split.train, group[0], options_.extras, within, &progress));
    } else {
      method_.fit_each(split.train, group, within, &progress, evaluate_setting);
    }
    progress.add_done(std::ssize(group) - std::ssize(tried));
  } catch (const DivergenceError&) {
    // A path does not report which setting failed: the ones it did not reach are trained alone.
    for (std::size_t k = 0; k < group.size(); ++k) {
      if (records_[members[k]].is_evaluated(part)) continue;
      try {
        evaluate_setting(k, method_.fit(split.train, group[k], within, &progress));
      } catch (const DivergenceError& error) {
        records_[members[k]].fail(error.what());
        progress.add_done(1);
      }
    }
  }
}

std::vector<OptionValues> StageTrials::as_tried(const std::vector<std::size_t>& members) const {
  std::vector<OptionValues> group;
  for (const std::size_t k : members) {
    group.push_back(settings_[k]);
    group.back().insert(options_.search.trial_only.begin(), options_.search.trial_only.end());
  }
  return group;
}

bool StageTrials::keeps(const Model& model) const {
  constexpr double kMostBytes = 1 << 25;  // of all settings together
  if (!options_.calibrate || options_.peers != nullptr) return false;
  if (!has_linear_scores(model.contents().head)) return false;
  const auto models = static_cast<double>(settings_.size() * parts_);
  return models * bytes_of(model.contents()) <= kMostBytes;
}

std::shared_ptr<const HeldOutCounts> StageTrials::held_out(
    std::size_t setting, const std::function<Split(std::size_t part)>& split_of,
    SharedProgress& progress) const {
  const auto& models = models_[setting];
  if (std::ranges::count(models, nullptr) > 0) return nullptr;
  const ModelContents& contents = models.front()->contents();
  auto counts = std::make_shared<HeldOutCounts>(models.front()->labels(), contents.head,
                                                contents.thresholds.front(), options_);
  for (std::size_t part = 0; part < parts_; ++part) {
    const Split given = split_of(part);
    const auto represented =
        represented_.find(part, given, method_, as_tried({setting}), options_.threads, &progress);
    const Split& split = represented.split != nullptr ? *represented.split : given;
    counts->add_rows(*models[part], split.test, options_.threads, &progress);
  }
  return counts;
}

bool StageTrials::is_worth_following(const std::vector<std::size_t>& tried) const {
  if (tried.size() <= kPatience) return true;
  std::vector<Trial> trials;
  trials.reserve(tried.size());
  for (const std::size_t k : tried) trials.push_back(*records_[k].result());
  bool is_worth = false;
  for_each_tuned(trials, options_, [&](const Metric& metric, const std::vector<Trial>& by) {
    is_worth |= !has_passed_its_best(by, metric);
  });
  return is_worth;
}

void StageTrials::drop_worse_half(SharedProgress& progress) {
  const auto trials = results();
  std::vector<char> stays(trials.size(), 0);
  for_each_tuned(trials, options_, [&](const Metric& metric, const std::vector<Trial>& by) {
    for (const std::size_t k : better_half(by, metric)) stays[k] = 1;
  });
  for (std::size_t k = 0; k < stays.size(); ++k) {
    if (stays[k]) continue;
    is_alive_[k] = 0;
    if (is_own_[k]) progress.add_done(as_index(parts_) - 1);
  }
}

std::vector<Trial> StageTrials::results() const {
  std::vector<Trial> trials;
  for (std::size_t k = 0; k < records_.size(); ++k) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    trials.push_back(records_[k].result().value_or(Trial{.values = settings_[k], .mean = kNone}));
    if (options_.peers != nullptr) trials.back().counts.reset();
  }
  if (options_.peers != nullptr) options_.peers->exchange(trials, is_own_);
  return trials;
}

std::vector<Trial> StageTrials::results_so_far() const {
  std::vector<Trial> trials;
  for (const TrialRecord& record : records_) {
    auto trial = record.result();
    if (!trial) continue;
    trial->counts.reset();
    trials.push_back(std::move(*trial));
  }
  return trials;
}

}  // namespace mugrad

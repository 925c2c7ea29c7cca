// SPDX-License-Identifier: MIT
#include "core/printable.h"
#include "core/stages.h"
#include "experiment/evaluate_model.h"
#include "experiment/stage_trials.h"

#include <mugrad/core/error.h>
#include <mugrad/experiment/tune.h>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>
#include <tuple>

namespace mugrad {
namespace {

void check(const TuneOptions& options) {
  if (options.thresholds != ThresholdRule::keep && needs_whole_rows(options.metric)) {
    std::vector<std::string_view> others;
    for (const MeasureInfo& info : measures()) {
      if (threshold_metric_of(info.measure)) others.push_back(info.name);
    }
    throw UsageError(
        fmt::format("settings cannot be chosen by {} together with thresholds: keep the method's "
                    "own, or choose by {}",
                    to_string(options.metric), in_words(others, "or")));
  }
  const auto searched = searched_options(options.search);
  if (std::ranges::count(searched, "threshold") > 0) {
    throw UsageError(
        "the threshold cannot be searched like other options: choose a rule for thresholds");
  }
}

/// Stops work that is out of time, or that the caller asks to stop.
class Deadline final : public Progress {
 public:
  Deadline(Progress* whole, const std::function<bool()>& is_out_of_time)
      : whole_(whole), is_out_of_time_(is_out_of_time) {}
  bool update(double share) override {
    if (is_out_of_time_ && is_out_of_time_()) has_passed_ = true;
    return !has_passed_ && (whole_ == nullptr || whole_->update(share));
  }
  bool has_passed() const noexcept { return has_passed_; }

 private:
  Progress* whole_;
  const std::function<bool()>& is_out_of_time_;
  bool has_passed_ = false;
};

/// What the settings of a stage share, and the best trial of the stage before.
struct StageBase {
  OptionValues shared = {};  ///< the fixed options, with the best alternative so far
  OptionValues best = {};    ///< empty before the first stage

  bool operator<(const StageBase& other) const {
    return std::tie(shared, best) < std::tie(other.shared, other.best);
  }
};

/// The stage with lists of values shortened to the neighbours of the best ones.
SearchStage near_best(SearchStage stage, const OptionValues& best) {
  for (Dimension& dimension : stage.space) {
    const auto known = best.find(dimension.option);
    if (!dimension.near_best || known == best.end()) continue;
    auto& values = dimension.values;
    const auto at = std::ranges::find(values, known->second);
    if (at == values.end()) continue;
    const auto place = static_cast<std::size_t>(at - values.begin());
    const auto [before, after] = *dimension.near_best;
    values.resize(std::min(values.size(), place + after + 1));
    values.erase(values.begin(), values.begin() + as_index(place - std::min(place, before)));
  }
  return stage;
}

/// Whether there are texts to weigh against other features.
bool has_texts_and_others(const Dataset& data) {
  Index terms = 0;
  for (const TermBlock& text : data.term_blocks) terms += text.count;
  return terms > 0 && terms < data.features();
}

void leave_out_weights_of_texts(SearchStage& stage) {
  std::vector<OptionValues> left;
  for (OptionValues& alternative : stage.alternatives) {
    alternative.erase("text-weight");
    if (alternative.empty() || std::ranges::count(left, alternative) > 0) continue;
    left.push_back(std::move(alternative));
  }
  stage.alternatives = std::move(left);
}

/// One call of `tune`.
class TuningRun {
 public:
  TuningRun(const Dataset& data, const Method& method, const TuneOptions& options,
            Progress* progress)
      : data_(data),
        method_(method),
        options_(options),
        deadline_(progress, options.is_out_of_time),
        shares_(&deadline_),
        splits_(inner_splits(data, options.inner)) {
    tuning_ = {.metric = options.metric, .trials = {}, .parts = splits_.count()};
    stages_ = options.search.stages;
    if (stages_.empty()) stages_.emplace_back();
    if (options.search.is_usual) leave_out_what_does_not_suit();
  }

  Tuning finish() {
    try {
      try_stages();
    } catch (const InterruptedError&) {
      if (!deadline_.has_passed()) throw;
      return best_in_time();
    }
    tuning_.best = best_of(tuning_.trials, tuning_.parts, options_.metric);
    return std::move(tuning_);
  }

 private:
  void leave_out_what_does_not_suit() {
    for (SearchStage& stage : stages_) {
      std::erase_if(stage.alternatives, [&](const OptionValues& alternative) {
        const auto kind = alternative.find("representation");
        return kind != alternative.end() &&
               !suits(representation_named(kind->second), data_.x, data_.term_blocks);
      });
      if (!has_texts_and_others(data_)) leave_out_weights_of_texts(stage);
    }
  }

  void try_stages() {
    std::vector<StageBase> bases = {{.shared = options_.search.fixed}};
    std::vector<double> shares = {0};
    for (const auto& stage : stages_) {
      shares.push_back(shares.back() + static_cast<double>(settings_of(stage, bases).size()));
    }
    for (std::size_t s = 0; s < stages_.size(); ++s) {
      shares_.enter(shares[s] / shares.back(), shares[s + 1] / shares.back());
      const auto settings = settings_of(stages_[s], bases);
      for (const auto& values : settings) method_.check(values);
      auto trials = try_stage(settings, s + 1 == stages_.size());
      // Settings at the ends of paths that were not worth following.
      std::erase_if(trials, [](const Trial& t) { return t.parts == 0 && t.failure.empty(); });
      if (s + 1 < stages_.size()) bases = bases_after(stages_[s], bases, trials);
      std::ranges::move(trials, std::back_inserter(tuning_.trials));
      stages_done_ = s + 1;
    }
  }

  /// How many scores of an inner test part are kept, to evaluate them together.
  Index kept_scores() const {
    if (info_of(options_.metric.measure).needs_all_scores) return kAllScores;
    // All parts have the same metrics: the size of the whole data decides.
    const bool keeps =
        options_.for_each_metric && data_.rows() * data_.labels() <= kUsualKeptScores;
    return keeps ? kAllScores : 0;
  }

  std::vector<OptionValues> settings_of(const SearchStage& stage,
                                        const std::vector<StageBase>& bases) const {
    std::vector<OptionValues> settings;
    std::set<OptionValues> seen;
    for (const auto& [shared, best] : bases) {
      const SearchStage near = near_best(stage, best);
      const auto more = options_.draws > 0
                            ? drawn_settings(near, shared, options_.draws, options_.seed)
                            : all_settings(near, shared);
      std::ranges::copy_if(more, std::back_inserter(settings),
                           [&](const OptionValues& values) { return seen.insert(values).second; });
    }
    return settings;
  }

  std::vector<Trial> try_stage(const std::vector<OptionValues>& settings, bool is_last) {
    const auto parts = as_size(splits_.count());
    StageTrials stage(method_, options_, represented_, settings, kept_scores(), parts);
    SharedProgress shared(&shares_, std::max<Index>(1, stage.own_runs()));
    for (std::size_t part = 0; part < parts; ++part) {
      try {
        const Split split = take(data_, splits_.at(as_index(part), &shared));
        stage.try_part(part, split, shared);
      } catch (const InterruptedError&) {
        // Later, settings have been evaluated on different numbers of parts and cannot be compared.
        if (part == 0) keep(stage, 1);
        throw;
      }
      if (part + 1 < parts || !is_last) keep(stage, as_index(part) + 1);
      if (part == 0 && parts > 1 && options_.search.is_usual) stage.drop_worse_half(shared);
    }
    auto trials = stage.results();
    const std::size_t best = best_or_none(trials, tuning_.parts, options_.metric);
    if (best < trials.size()) {
      const auto split_of = [&](std::size_t part) {
        return take(data_, splits_.at(as_index(part), &shared));
      };
      try {
        trials[best].held_out = stage.held_out(best, split_of, shared);
      } catch (const InterruptedError&) {
        // The trials are complete; fit_as_tried does without these scores.
        if (!deadline_.has_passed()) throw;
      }
    }
    return trials;
  }

  /// For the next stage, from the best trial by each tuned metric.
  std::vector<StageBase> bases_after(const SearchStage& stage, const std::vector<StageBase>& bases,
                                     const std::vector<Trial>& trials) const {
    std::set<StageBase> found;
    for_each_tuned(trials, options_, [&](const Metric& metric, const std::vector<Trial>& by) {
      const OptionValues& best = by[best_of(by, tuning_.parts, metric)].values;
      if (stage.alternatives.empty()) {
        for (const auto& base : bases) found.insert({.shared = base.shared, .best = best});
        return;
      }
      StageBase base{.shared = options_.search.fixed, .best = best};
      // Of alternatives that include each other, the one that says most.
      const OptionValues* chosen = nullptr;
      for (const auto& alternative : stage.alternatives) {
        if (!std::ranges::includes(best, alternative)) continue;
        if (chosen == nullptr || alternative.size() > chosen->size()) chosen = &alternative;
      }
      if (chosen != nullptr) base.shared.insert(chosen->begin(), chosen->end());
      found.insert(std::move(base));
    });
    return {found.begin(), found.end()};
  }

  /// Stores the intermediate result on the finished parts of a stage, and reports it.
  void keep(const StageTrials& stage, Index parts) {
    if (!options_.keep && !options_.is_out_of_time) return;
    Tuning so_far = tuning_;
    for (Trial& trial : so_far.trials) trial.counts.reset();
    // Trials of finished stages were evaluated on more parts than those of this one.
    const bool is_first = stages_done_ == 0;
    so_far.parts = is_first ? parts : tuning_.parts;
    so_far.is_complete = false;
    std::ranges::move(stage.results_so_far(), std::back_inserter(so_far.trials));
    so_far.best = best_or_none(so_far.trials, so_far.parts, options_.metric);
    if (so_far.best == so_far.trials.size()) return;
    if (options_.keep) options_.keep(so_far);
    so_far_ = std::move(so_far);
  }

  Tuning best_in_time() {
    if (!so_far_.trials.empty()) return std::move(so_far_);
    return {.metric = options_.metric,
            .trials = {{.values = options_.search.fixed,
                        .mean = std::numeric_limits<double>::quiet_NaN()}},
            .is_complete = false};
  }

  const Dataset& data_;
  const Method& method_;
  const TuneOptions& options_;
  Deadline deadline_;
  Stages shares_;
  PlannedSplits splits_;
  RepresentedSplits represented_;
  std::vector<SearchStage> stages_;
  std::size_t stages_done_ = 0;
  Tuning tuning_;
  Tuning so_far_;  ///< the last intermediate result; without trials if there is none
};

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
  return TuningRun(data, method, options, progress).finish();
}

std::vector<Metric> tuned_metrics(const std::vector<Trial>& trials) {
  std::vector<Metric> metrics;
  for (const Trial& trial : trials) {
    if (trial.metrics.empty()) continue;
    for (const auto& [metric, mean] : trial.metrics) metrics.push_back(metric);
    metrics.push_back(kMulanMacroF1);
    break;
  }
  return metrics;
}

Trial best_for(const Metric& metric, const Tuning& tuning, const TuneOptions& options) {
  auto trials = by_metric(metric, tuning.trials, options);
  return trials[best_of(trials, tuning.parts, metric)];
}

}  // namespace mugrad

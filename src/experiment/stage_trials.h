// SPDX-License-Identifier: MIT
#pragma once

#include "experiment/represented_splits.h"
#include "experiment/trial_record.h"

#include <mugrad/experiment/tune.h>

#include <functional>
#include <memory>
#include <vector>

namespace mugrad {

/// The best trial on at least this many parts, or trials.size().
std::size_t best_or_none(const std::vector<Trial>& trials, Index parts, const Metric& metric);
/// The same. Throws DivergenceError or InputError if there is none.
std::size_t best_of(const std::vector<Trial>& trials, Index parts, const Metric& metric);

/// These trials by another metric than the tuned one, without their counts.
std::vector<Trial> by_metric(const Metric& metric, std::vector<Trial> trials,
                             const TuneOptions& options);

/// Calls visit(metric, trials by it) for the tuned metric, or for every metric if each is tuned
/// for.
void for_each_tuned(const std::vector<Trial>& trials, const TuneOptions& options,
                    const std::function<void(const Metric&, const std::vector<Trial>&)>& visit);

/// The settings of one stage of tuning, and their trials on the inner parts.
class StageTrials {
 public:
  /// `kept_scores` as for TrialRecord. The method, the options and `represented`, of the inner
  /// splits, must outlive it.
  StageTrials(const Method& method, const TuneOptions& options, RepresentedSplits& represented,
              std::vector<OptionValues> settings, Index kept_scores, std::size_t parts);

  /// The number of trainings that are not left to peers.
  Index own_runs() const;

  /// Evaluates the settings that have not been dropped on one inner split, several groups in
  /// parallel. On the first of several splits of a usual search, a path along one option ends when
  /// two settings in a row were worse than an earlier one by every tuned metric.
  void try_part(std::size_t part, const Split& split, SharedProgress& progress);
  /// Drops the settings that are in the worse half by every tuned metric. Requires: the first part
  /// has been tried.
  void drop_worse_half(SharedProgress& progress);

  /// One trial per setting, with those of all peers; NaN as the mean of settings without a result.
  std::vector<Trial> results() const;
  /// The held-out scores of a setting by the models of its trials; null if these were not kept.
  /// split_of(part) is the split of try_part. Throws InterruptedError if `progress` asks to stop.
  std::shared_ptr<const HeldOutCounts> held_out(
      std::size_t setting, const std::function<Split(std::size_t part)>& split_of,
      SharedProgress& progress) const;
  /// The trials that have results, without counts and without peers.
  std::vector<Trial> results_so_far() const;

 private:
  void try_group(std::size_t part, const Split& split, const std::vector<std::size_t>& members,
                 Threads within, SharedProgress& progress);
  /// The settings as tried, with the options of trials.
  std::vector<OptionValues> as_tried(const std::vector<std::size_t>& members) const;
  /// Whether models of this size are kept, to count held-out scores of the best.
  bool keeps(const Model& model) const;
  /// These settings are a path, in the order of training.
  bool is_worth_following(const std::vector<std::size_t>& tried) const;

  const Method& method_;
  const TuneOptions& options_;
  RepresentedSplits& represented_;
  std::vector<OptionValues> settings_;
  std::size_t parts_;
  std::vector<TrialRecord> records_;
  /// Of each setting and part, trained on rows as represented_ has them; null if not kept.
  std::vector<std::vector<std::shared_ptr<const Model>>> models_;
  std::vector<char> is_alive_;  ///< settings that have not been dropped
  std::vector<char> is_own_;    ///< settings that are not left to peers
};

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>
#include <mugrad/data/splits.h>
#include <mugrad/experiment/results.h>
#include <mugrad/experiment/tune.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace mugrad {

/// A method with its fixed and its tuned options: one row of a comparison.
struct Contender {
  std::string name = {};  ///< its name in results
  std::string method = {};
  /// Without stages and with ThresholdRule::keep: no tuning. If it tunes for each metric, every
  /// metric is reported at its own best setting and thresholds.
  TuneOptions tuning = {};

  bool is_tuned() const {
    return !tuning.search.stages.empty() || tuning.thresholds != ThresholdRule::keep;
  }
};

/// Parses "mgd", "br --rho 0.1" or "mgd-paper: mgd --preset paper --rho 0.1,0.5 --sigma 0,0.1
/// --thresholds one": an optional name, a method, and its options as on the command line, where
/// lists and ranges are searched. Further options, with defaults from `usual`: --draws, --metric
/// (`each` tunes for every metric separately), --thresholds, --threshold-metric, --at-precision,
/// --at-recall, --inner-folds, --holdout, --inner-stratified, --tune-seed. If nothing is listed for
/// a method, it gets its usual search with `tuned` or `--search usual`, and no tuning otherwise or
/// with `--search none`. Throws UsageError quoting the text.
Contender parse_contender(std::string_view text, const Contender& usual, bool tuned);

/// The same form, with everything that determines the results of the contender.
std::string to_text(const Contender& contender);

/// How a comparison splits each data set into training and test parts.
struct OuterProtocol {
  Index repeats = 5;   ///< random splits, with the seeds seed, seed + 1, ...
  double train = 0.8;  ///< share of the rows in each training part
  Index folds = 0;     ///< number of folds in every repeat; 0: random splits instead
  bool stratified = false;
  std::uint64_t seed = 1;
};

/// In words: "5 random splits, 80 % to train on, seed 1".
std::string to_text(const OuterProtocol& protocol);

/// The splits of a data set, in order. Requires: `data` outlives them.
PlannedSplits outer_splits(const Dataset& data, const OuterProtocol& protocol);

/// Runs one contender on one split; hyper-parameters are chosen on the training part only. An error
/// of the method, except an interruption, becomes the record's failure. The record's set and split
/// are not filled in.
Record run_once(const Split& split, const Contender& contender, Threads threads,
                Progress* progress = nullptr);

}  // namespace mugrad

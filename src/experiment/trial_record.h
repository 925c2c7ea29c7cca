// SPDX-License-Identifier: MIT
#pragma once

#include "experiment/shared_progress.h"

#include <mugrad/experiment/tune.h>

#include <optional>
#include <vector>

namespace mugrad {

/// Whether this metric depends on thresholds, and counts per label do not suffice for it.
bool needs_whole_rows(const Metric& metric);

/// The mean of a trial by a metric, at thresholds chosen by another if they are chosen. A metric
/// that depends on thresholds then has a single score over all inner test parts.
void evaluate_by(const Metric& metric, ThresholdMetric threshold_metric, const TuneOptions& options,
                 Trial& trial);

/// The results of one setting on the inner test parts.
class TrialRecord {
 public:
  /// Of each inner test part, at most `kept_scores` are kept to evaluate them together. `options`
  /// must outlive it.
  TrialRecord(OptionValues values, const TuneOptions& options, Index kept_scores,
              std::size_t parts);

  void fail(std::string reason) { trial_.failure = std::move(reason); }
  bool has_failed() const noexcept { return !trial_.failure.empty(); }
  bool is_evaluated(std::size_t part) const { return is_evaluated_[part]; }

  /// Evaluates a model trained without the rows of this part. Throws InterruptedError if `progress`
  /// asks to stop; the part is then not evaluated.
  void evaluate_part(std::size_t part, const Model& model, const Dataset& test, Threads threads,
                     SharedProgress& progress);

  /// The result on the parts evaluated so far; empty if there are none.
  std::optional<Trial> result() const;

 private:
  const TuneOptions& options_;
  Index kept_scores_;
  Trial trial_;  ///< with sums of the metrics over parts, and a score or NaN for every part
  std::vector<bool> is_evaluated_;
};

}  // namespace mugrad

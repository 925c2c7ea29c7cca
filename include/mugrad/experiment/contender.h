// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/experiment/tune.h>

#include <string>
#include <string_view>

namespace mugrad {

/// A method with what is fixed and what is tuned of it: one row of a comparison.
struct Contender {
  std::string name = {};  ///< what results call it
  std::string method = {};
  TuneOptions tuning = {};  ///< nothing to search and thresholds kept: trained as it is
  /// Every metric is reported at the setting and the thresholds that are best by it.
  bool is_tuned_for_each = false;

  bool is_tuned() const {
    return !tuning.search.space.empty() || tuning.thresholds != ThresholdRule::keep;
  }
};

/// "mgd", "br --rho 0.1", "mgd-paper: mgd --preset paper --rho 0.1,0.5 --sigma 0,0.1 --thresholds
/// one": an optional name, a method, and its options as on the command line, where lists and ranges
/// are searched. Also understood, and else as in `usual`: --draws, --metric (`each` tunes for every
/// metric by itself), --thresholds, --threshold-metric, --inner-folds, --holdout,
/// --inner-stratified, --tune-seed. With `tuned` a method of which nothing is listed is tried with
/// what is usually worth it; otherwise it is trained as it is. Throws UsageError quoting the text.
Contender parse_contender(std::string_view text, const Contender& usual, bool tuned);

/// Everything that decides what it does, in that form.
std::string to_text(const Contender& contender);

}  // namespace mugrad

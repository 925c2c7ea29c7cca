// SPDX-License-Identifier: MIT
#pragma once

#include "session.h"

#include <mugrad/experiment/tune.h>

#include <optional>
#include <string>
#include <vector>

namespace mugrad::cli {

/// The result of tuning one of several methods.
struct Standing {
  const Method* method = nullptr;
  std::optional<Tuning> tuning = {};  ///< empty if the method could not be tried
  std::string failure = {};           ///< why not

  /// The metric of the best setting; NaN if none was evaluated.
  double value() const;
};

/// "mgd,lift", in this order, or "all". Throws UsageError for unknown names.
std::vector<const Method*> methods_named(const std::string& names);

/// Tunes every method by its usual search; best first, then those that could not be tried. A method
/// that is reached after the time is up is not tried. Throws Error if no method could be tried.
std::vector<Standing> leaderboard(const Dataset& data, const std::vector<const Method*>& methods,
                                  const TuneOptions& options, const Session& session);

/// As a table.
std::string leaderboard_text(const std::vector<Standing>& standings, const Metric& metric);
Json leaderboard_json(const std::vector<Standing>& standings);

}  // namespace mugrad::cli

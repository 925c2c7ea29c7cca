// SPDX-License-Identifier: MIT
#pragma once

#include "session.h"

#include <mugrad/model/model.h>

#include <functional>
#include <optional>
#include <span>

namespace mugrad::cli {

/// The model's thresholds, or the one given for every label. Throws UsageError when that is not
/// a score that the model can give: a probability, or a finite number.
std::vector<double> thresholds_for(const Model& model, std::optional<double> given);

/// The one threshold, or the range of several.
std::string thresholds_text(const std::vector<double>& thresholds);

/// Scores the rows of x a block at a time and calls work(row, scores) for each, in order, with
/// progress shown as `what`.
void for_each_scored_row(const Model& model, const Features& x, std::string_view what,
                         const Session& session,
                         const std::function<void(Index, std::span<const double>)>& work);

}  // namespace mugrad::cli

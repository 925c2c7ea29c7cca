// SPDX-License-Identifier: MIT
#pragma once

#include "session.h"

#include <mugrad/metric/evaluate.h>

#include <functional>
#include <string>

namespace mugrad::cli {

using LabelNames = std::function<std::string(LabelId)>;

/// The metrics as a table, below a line with the convention, the threshold and what was skipped;
/// with `per_label`, also a line for each label.
std::string evaluation_text(const Evaluation& evaluation, bool per_label, const LabelNames& name);
/// One number where all are the same.
Json thresholds_json(const std::vector<double>& thresholds);

Json evaluation_json(const Evaluation& evaluation, bool per_label, const LabelNames& name);

}  // namespace mugrad::cli

// SPDX-License-Identifier: MIT
#pragma once

#include "session.h"

#include <mugrad/metric/evaluate.h>
#include <mugrad/model/model.h>

#include <functional>
#include <string>

namespace mugrad::cli {

using LabelNames = std::function<std::string(LabelId)>;

/// The metrics as a table, below a line with the convention, the threshold and what was skipped;
/// with `per_label`, also a line for each label.
std::string evaluation_text(const Evaluation& evaluation, bool per_label, const LabelNames& name);
/// One number where all are the same.
Json thresholds_json(const std::vector<double>& thresholds);

/// Whether the model was trained on some of the rows: a sentence on a line of its own, or nothing
/// if they are no more alike than the training rows are among themselves.
std::string seen_text(const SeenRows& seen, const RowSample& trained_on);
/// Null if the model does not know.
Json seen_json(const SeenRows& seen, const RowSample& trained_on);

Json evaluation_json(const Evaluation& evaluation, bool per_label, const LabelNames& name);

}  // namespace mugrad::cli

// SPDX-License-Identifier: MIT
#pragma once

#include "session.h"

#include <mugrad/metric/evaluate.h>

#include <functional>
#include <string>

namespace mugrad::cli {

using LabelNames = std::function<std::string(LabelId)>;

/// The metrics as a table, under a line that says the convention, the threshold and what was
/// skipped; with `per_label`, a line for each label too.
std::string evaluation_text(const Evaluation& evaluation, bool per_label, const LabelNames& name);
Json evaluation_json(const Evaluation& evaluation, bool per_label, const LabelNames& name);

}  // namespace mugrad::cli

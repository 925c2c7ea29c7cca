// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/encoding_plan.h"
#include "data/formats/raw_features.h"

#include <string>

namespace mugrad::formats {

/// Turns nominals into columns of numbers, as planned. Requires: the plan has a column per position
/// of `raw`. Throws InputError when dense columns would be beyond any memory; `file` is what it
/// names then.
Features encode(RawFeatures raw, const EncodingPlan& plan, const std::string& file);

}  // namespace mugrad::formats

// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/table/encoding_plan.h"
#include "data/formats/table/raw_features.h"

#include <string>

namespace mugrad::formats {

/// Turns nominals into columns of numbers, as planned. Requires: the plan has a column per position
/// of `raw`. Throws InputError when dense columns would be beyond any memory; `file` is what it
/// names then.
Features encode(RawFeatures raw, const EncodingPlan& plan, const std::string& file);

/// The share of the entries of the first rows that are not zero after encoding; 1 where there are
/// no entries. Requires: `raw` is dense and has so many rows.
double encoded_density(const RawFeatures& raw, const EncodingPlan& plan, Index rows);

}  // namespace mugrad::formats

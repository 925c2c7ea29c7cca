// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/table/raw_features.h"

#include <mugrad/core/progress.h>

#include <span>
#include <vector>

namespace mugrad::formats {

/// The median of each of these columns, without missing values; 0 if there is no other. All
/// columns together take as many steps as there are cells, and some 100 MB at most. Requires:
/// columns ascend. Throws InterruptedError.
std::vector<double> medians_of(const RawFeatures& raw, std::span<const FeatureId> columns,
                               Progress* progress);

/// The same for means.
std::vector<double> means_of(const RawFeatures& raw, std::span<const FeatureId> columns,
                             Progress* progress);

}  // namespace mugrad::formats

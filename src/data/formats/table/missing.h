// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/files.h>

#include <string>
#include <vector>

namespace mugrad::formats {

/// Replaces every NaN by the mean of its column's other values; by 0, with a note, where there
/// are none.
void impute_means(Features& features, const std::vector<std::string>& names,
                  const ReadOptions& options);

}  // namespace mugrad::formats

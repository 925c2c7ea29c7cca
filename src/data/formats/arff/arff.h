// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/row_source.h"
#include "data/formats/source_text.h"

#include <mugrad/data/files.h>

#include <filesystem>
#include <memory>
#include <vector>

namespace mugrad::formats {

/// Dense rows `1,2,?`, sparse rows `{index value, ...}`, or both. Requires: source outlives the
/// result. Throws InputError, as its calls do.
std::unique_ptr<RowSource> open_arff(const SourceText& source, const std::filesystem::path& path,
                                     const ReadOptions& options);

/// Features first, then the labels, whose names go into the XML beside; returns both files.
std::vector<std::filesystem::path> write_arff(const Dataset& data,
                                              const std::filesystem::path& path,
                                              Progress* progress);

}  // namespace mugrad::formats

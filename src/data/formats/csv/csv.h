// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/row_source.h"
#include "data/formats/source_text.h"

#include <mugrad/data/files.h>

#include <filesystem>
#include <memory>

namespace mugrad::formats {

/// A line of column names, then a line per example. Requires: source outlives the
/// result. Throws InputError, as its calls do.
std::unique_ptr<RowSource> open_csv(const SourceText& source, const std::filesystem::path& path,
                                    const ReadOptions& options);

/// The features' columns, then the labels'.
void write_csv(const Dataset& data, const std::filesystem::path& path, Progress* progress);

}  // namespace mugrad::formats

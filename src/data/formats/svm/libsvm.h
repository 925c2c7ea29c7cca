// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/row_source.h"
#include "data/formats/source_text.h"

#include <mugrad/data/files.h>

#include <filesystem>
#include <memory>

namespace mugrad::formats {

/// Rows `l1,l2 index:value ...` with features counted from 1. Requires: source outlives the
/// result. Throws InputError, as its calls do.
std::unique_ptr<RowSource> open_libsvm(const SourceText& source, const std::filesystem::path& path,
                                       const ReadOptions& options);

void write_libsvm(const Dataset& data, const std::filesystem::path& path, Progress* progress);

}  // namespace mugrad::formats

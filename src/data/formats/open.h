// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/row_source.h"
#include "data/formats/source_text.h"

#include <mugrad/data/files.h>

#include <filesystem>
#include <memory>

namespace mugrad::formats {

/// The rows of a file of any format. Requires: source and options outlive the result.
std::unique_ptr<RowSource> open_rows(const SourceText& source, const std::filesystem::path& path,
                                     const ReadOptions& options);

}  // namespace mugrad::formats

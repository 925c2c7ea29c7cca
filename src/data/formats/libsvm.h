// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/source_text.h"

#include <mugrad/data/files.h>

#include <filesystem>

namespace mugrad::formats {

/// Rows `l1,l2 index:value ...` with features counted from 1. Throws InputError.
Dataset read_libsvm(const SourceText& source, const std::filesystem::path& path,
                    const ReadOptions& options);

void write_libsvm(const Dataset& data, const std::filesystem::path& path);

}  // namespace mugrad::formats

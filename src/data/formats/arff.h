// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/source_text.h"

#include <mugrad/data/files.h>

#include <filesystem>
#include <vector>

namespace mugrad::formats {

/// Dense rows `1,2,?`, sparse rows `{index value, ...}`, or both. Throws InputError.
Dataset read_arff(const SourceText& source, const std::filesystem::path& path,
                  const ReadOptions& options);

/// Features first, then the labels, whose names go into the XML beside; returns both files.
std::vector<std::filesystem::path> write_arff(const Dataset& data,
                                              const std::filesystem::path& path);

}  // namespace mugrad::formats

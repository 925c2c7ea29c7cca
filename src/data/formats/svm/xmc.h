// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/row_source.h"
#include "data/formats/source_text.h"

#include <mugrad/data/files.h>

#include <filesystem>
#include <memory>

namespace mugrad::formats {

/// A first line `examples features labels`, then rows as in LIBSVM but with features counted
/// from 0. Requires: source outlives the
/// result. Throws InputError, as its calls do.
std::unique_ptr<RowSource> open_xmc(const SourceText& source, const std::filesystem::path& path,
                                    const ReadOptions& options);

void write_xmc(const Dataset& data, const std::filesystem::path& path, Progress* progress);

/// The counts of a first line, when it is one.
struct XmcCounts {
  Index examples = 0;
  Index features = 0;
  Index labels = 0;
};
std::optional<XmcCounts> xmc_counts(std::string_view line) noexcept;

}  // namespace mugrad::formats

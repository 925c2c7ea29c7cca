// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/source_text.h"

#include <mugrad/data/files.h>

#include <filesystem>
#include <string_view>

namespace mugrad::formats {

/// For messages: "','" or "a tab".
std::string_view delimiter_text(char delimiter);

/// Whether the ending is that of a file with tabs.
bool is_tab_file(const std::filesystem::path& path);

/// What separates the cells: as the options say, else what splits the line of column names and the
/// records after it into the same number of cells; a comma if nothing does, and kNoDelimiter if the
/// only column is that of the tags. Throws InputError if only the later records have a delimiter,
/// and UsageError for an option that is none.
char find_delimiter(const SourceText& source, const std::filesystem::path& path,
                    const ReadOptions& options);

}  // namespace mugrad::formats

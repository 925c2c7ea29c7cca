// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/source_text.h"

#include <mugrad/data/files.h>

#include <filesystem>
#include <optional>

namespace mugrad::formats {

/// The format by the content, where that decides, else by the ending. Throws InputError when
/// neither tells.
Format recognise(const SourceText& source, const std::filesystem::path& path);

/// The format that a file's ending names.
std::optional<Format> format_of_ending(const std::filesystem::path& path);

}  // namespace mugrad::formats

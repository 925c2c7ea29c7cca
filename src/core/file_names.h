// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace mugrad {

/// The folder that a file is in; "." for a bare name.
std::filesystem::path folder_of(const std::filesystem::path& file);

struct LinkEnd {
  std::filesystem::path path;  ///< what the last link points to, which need not exist
  bool is_open_file = false;   ///< the way led through /proc: /dev/stdout, /dev/fd/3
  int descriptor = -1;         ///< the open file of this process that it is; -1: of none
};

/// Where symbolic links lead; the path itself where there are none.
LinkEnd follow_links(std::filesystem::path path);

/// Makes a new name survive a power cut, where the file system lets folders be synced.
void sync_folder(const std::filesystem::path& folder);

/// Whether the path leads to what the descriptor has open: it may have been replaced since.
bool leads_to(const std::filesystem::path& path, int descriptor) noexcept;

}  // namespace mugrad

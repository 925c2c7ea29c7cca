// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace mugrad {

/// The folder that a file is in; "." for a bare name.
std::filesystem::path folder_of(const std::filesystem::path& file);

/// A name in the folder that is not in use, for a file that is not complete.
std::filesystem::path hidden_name_in(const std::filesystem::path& folder);
/// Whether a file was named so.
bool is_hidden_name(const std::filesystem::path& file);

struct LinkEnd {
  std::filesystem::path path;  ///< what the last link points to, which need not exist
  bool is_open_file = false;   ///< the way led through /proc: /dev/stdout, /dev/fd/3
};

/// Where symbolic links lead; the path itself where there are none.
LinkEnd follow_links(std::filesystem::path path);

/// Makes a new name survive a power cut, where the file system lets folders be synced.
void sync_folder(const std::filesystem::path& folder);

}  // namespace mugrad

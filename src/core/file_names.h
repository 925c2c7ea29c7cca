// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace mugrad {

/// The folder of a file; "." for a bare name.
std::filesystem::path folder_of(const std::filesystem::path& file);

struct LinkEnd {
  std::filesystem::path path;  ///< target of the last link, which need not exist
  bool is_open_file = false;   ///< a link led through /proc: /dev/stdout, /dev/fd/3
  int descriptor = -1;         ///< the open file of this process; -1: none
};

/// Follows symbolic links; returns the path itself if there are none.
LinkEnd follow_links(std::filesystem::path path);

/// Makes a new name survive a power failure, if the file system can sync folders.
void sync_folder(const std::filesystem::path& folder);

/// Whether the path still leads to the open file; it may have been replaced.
bool leads_to(const std::filesystem::path& path, int descriptor) noexcept;

// An incomplete file or folder has a hidden name in the folder where it will appear. Its writer
// holds a lock on it, which ends with the process: a hidden file without a lock was left by a
// killed process.

/// An unused hidden name in the folder.
std::filesystem::path hidden_name_in(const std::filesystem::path& folder);
/// The name of a hidden folder after its files are complete and while they appear one by one.
std::filesystem::path name_when_complete(const std::filesystem::path& hidden_folder);

/// Locks the open file until it is closed. Returns false if another process is about to remove it
/// as a leftover. Does nothing on file systems without locks, where leftovers stay.
bool lock_hidden(int descriptor) noexcept;

/// Creates a file with an unused hidden name, and locks it. Returns its descriptor, or -1 and sets
/// errno.
int create_hidden(const std::filesystem::path& folder, int flags, std::filesystem::path& name);

/// Removes leftovers of killed processes in the folder, and finishes file sets (file_set.h). It
/// keeps files of running processes, here or, on a network file system, on other machines. Errors
/// are ignored, because they should not make other work fail.
void remove_leftovers(const std::filesystem::path& folder) noexcept;
/// The same, but once per folder and process: a folder may be large.
void remove_leftovers_once(const std::filesystem::path& folder) noexcept;
/// Finishes file sets that killed processes left in the folder, and removes nothing.
void finish_file_sets(const std::filesystem::path& folder) noexcept;

}  // namespace mugrad

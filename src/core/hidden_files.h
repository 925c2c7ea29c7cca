// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace mugrad {

// A file or folder that is not complete yet has a hidden name in the folder where it will appear.
// Who writes it holds a lock on it, which ends with the process: a hidden file that nobody has
// locked was left by a process that was killed.

/// A name in the folder that is not in use.
std::filesystem::path hidden_name_in(const std::filesystem::path& folder);
/// What a hidden folder is called once its files are complete and appear one by one.
std::filesystem::path name_when_complete(const std::filesystem::path& hidden_folder);

/// Locks what the descriptor has open, for as long as it is open. False when someone is about to
/// remove it as a leftover. On file systems without locks it does nothing, and leftovers stay.
bool lock_hidden(int descriptor) noexcept;

/// Removes what killed processes have left in the folder, and finishes file sets (file_set.h). It
/// leaves what belongs to processes that live, here or, on a network file system, on other
/// machines. Where it fails it does nothing: that is no reason for other work to fail.
void remove_leftovers(const std::filesystem::path& folder) noexcept;
/// The same, but once per folder in the life of the process: a folder may be large.
void remove_leftovers_once(const std::filesystem::path& folder) noexcept;
/// Finishes file sets that killed processes have left in the folder, and removes nothing.
void finish_file_sets(const std::filesystem::path& folder) noexcept;

}  // namespace mugrad

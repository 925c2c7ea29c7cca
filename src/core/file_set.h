// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace mugrad {

/// A file that appears in a folder, or disappears, together with others.
struct SetFile {
  std::filesystem::path name;  ///< relative to the folder
  bool appears = true;
  std::string replaced = {};  ///< identifies the file that has the name now; empty: none
};

/// Moves the complete files of a hidden folder into its parent folder. It first removes all
/// replaced files, last to first, and then names the new ones, first to last, so that old and new
/// files never coexist. If it is killed after its first step, finish_file_set can finish it.
/// Concurrent calls for the same folder wait. Throws InputError after undoing its steps; if undoing
/// fails too, the set is left for finish_file_set.
void commit_file_set(const std::filesystem::path& hidden_folder, std::vector<SetFile> files);

/// Finishes an interrupted commit. Keeps files that others have put in such places meanwhile.
/// Throws InputError.
void finish_file_set(const std::filesystem::path& hidden_folder);

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace mugrad {

/// A file that appears in a folder together with others, or goes away with them.
struct SetFile {
  std::filesystem::path name;  ///< relative to the folder
  bool appears = true;
  std::string replaced = {};  ///< tells the file that has the name now from others; empty: none has
};

/// Gives the complete files of a hidden folder their names in the folder that it is in: takes away
/// all that they replace, last to first, then names them, first to last. At no moment are there
/// files of both. From its first step on, what a kill has interrupted can be finished by
/// finish_file_set. Others that do the same in the folder wait. Throws InputError, after undoing
/// what it did; where that fails too, the set is left for finish_file_set.
void commit_file_set(const std::filesystem::path& hidden_folder, std::vector<SetFile> files);

/// Finishes what was interrupted. A file that someone has put in such a place meanwhile stays.
/// Throws InputError.
void finish_file_set(const std::filesystem::path& hidden_folder);

}  // namespace mugrad

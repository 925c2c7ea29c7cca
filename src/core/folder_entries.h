// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace mugrad {

struct FolderEntry {
  std::string name;
  bool is_folder = false;  ///< false for a link to a folder
};

/// The entries of a folder, in no order. Throws std::filesystem::filesystem_error if it cannot be
/// read. (The iterators of the standard library can crash if memory runs out.)
std::vector<FolderEntry> entries_of(const std::filesystem::path& folder);

/// Calls visit(path relative to the folder, entry) for everything below a folder, folders before
/// their contents.
template <class Visit>
void for_each_below(const std::filesystem::path& folder, const Visit& visit,
                    const std::filesystem::path& below = {}) {
  for (const FolderEntry& entry : entries_of(folder / below)) {
    const std::filesystem::path path = below / entry.name;
    visit(path, entry);
    if (entry.is_folder) for_each_below(folder, visit, path);
  }
}

}  // namespace mugrad

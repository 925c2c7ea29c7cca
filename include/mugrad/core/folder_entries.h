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

/// What is in a folder, in no order. Throws std::filesystem::filesystem_error when it cannot be
/// read. (The standard library's iterators can crash where memory runs out.)
std::vector<FolderEntry> entries_of(const std::filesystem::path& folder);

/// Calls visit(path from the folder, entry) for all that is below a folder, folders before what is
/// in them.
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

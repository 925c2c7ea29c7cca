// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace mugrad::testing {

/// Files below a folder, by their paths from there, with what they hold.
using Tree = std::map<std::string, std::string>;

/// Hidden files among them. Of a folder that is not there: none.
Tree tree_of(const std::filesystem::path& folder);
/// Without those of Mugrad that are hidden.
Tree visible_in(const std::filesystem::path& folder);
/// Makes the files, and the folders that they need.
void write_tree(const std::filesystem::path& folder, const Tree& tree);

}  // namespace mugrad::testing

// SPDX-License-Identifier: MIT
#include "support/file_tree.h"

#include "support/temporary_folder.h"

#include <fstream>

namespace mugrad::testing {

namespace fs = std::filesystem;

Tree tree_of(const fs::path& folder) {
  Tree tree;
  if (!fs::exists(folder)) return tree;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_directory()) continue;
    tree[entry.path().lexically_relative(folder).string()] = read_file(entry.path());
  }
  return tree;
}

Tree visible_in(const fs::path& folder) {
  Tree tree = tree_of(folder);
  std::erase_if(tree, [](const auto& file) { return file.first.starts_with(".mugrad-"); });
  return tree;
}

void write_tree(const fs::path& folder, const Tree& tree) {
  for (const auto& [name, content] : tree) {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name) << content;
  }
}

}  // namespace mugrad::testing

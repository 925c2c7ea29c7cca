// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace mugrad {

/// Columns of text lined up for a terminal: the first to the left, the others to the right. Cells
/// are shown as `printable` says: names come from files.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header) { add(std::move(header)); }
  void add(std::vector<std::string> row);
  /// Every line starts with `indent` blanks.
  std::string text(int indent = 0) const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

/// Characters as a terminal counts them, for UTF-8 without wide or combining ones.
std::size_t display_width(const std::string& text);

}  // namespace mugrad

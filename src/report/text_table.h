// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace mugrad {

/// Columns of text aligned for a terminal: the first to the left, the others to the right. Cells
/// are escaped by `printable`, because names come from files.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header) { add(std::move(header)); }
  void add(std::vector<std::string> row);
  /// Every line starts with `indent` blanks.
  std::string text(int indent = 0) const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

/// Width on a terminal, for UTF-8 without wide or combining characters.
std::size_t display_width(const std::string& text);

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#include "report/text_table.h"

#include "core/printable.h"

#include <mugrad/core/types.h>

#include <algorithm>

namespace mugrad {

std::size_t display_width(const std::string& text) {
  return as_size(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

void TextTable::add(std::vector<std::string> row) {
  for (auto& cell : row) cell = printable(cell);
  rows_.push_back(std::move(row));
}

std::string TextTable::text(int indent) const {
  std::vector<std::size_t> width;
  for (const auto& row : rows_) {
    width.resize(std::max(width.size(), row.size()));
    for (std::size_t k = 0; k < row.size(); ++k) {
      width[k] = std::max(width[k], display_width(row[k]));
    }
  }
  std::string result;
  for (const auto& row : rows_) {
    std::string line(as_size(indent), ' ');
    for (std::size_t k = 0; k < row.size(); ++k) {
      const std::string padding(width[k] - display_width(row[k]), ' ');
      line += k == 0 ? row[k] + padding : "  " + padding + row[k];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    result += line + "\n";
  }
  return result;
}

}  // namespace mugrad

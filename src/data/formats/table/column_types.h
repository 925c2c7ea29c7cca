// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/source_text.h"
#include "data/formats/table/table.h"

#include <mugrad/data/files.h>

#include <span>
#include <string>
#include <vector>

namespace mugrad::formats {

/// Finds out from all cells which columns are numeric and which are nominal, where the file does
/// not say so.
class TypeSurvey {
 public:
  /// Looks at a cell of any column, in the order of the file.
  void look(std::size_t column, const Cell& cell) {
    auto& found = seen(column);
    if (cell.missing || (found.has_numbers && found.first_text != nullptr)) return;
    const bool is_digit = cell.text.size() == 1 && cell.text[0] >= '0' && cell.text[0] <= '9';
    is_digit ? static_cast<void>(found.has_numbers = true) : look_at(found, cell);
  }
  /// The same for a cell that is known to be a number.
  void look_at_number(std::size_t column) { seen(column).has_numbers = true; }

  /// Takes only these columns, in this order.
  void arrange(std::span<const std::size_t> columns);

  /// Makes columns nominal that have a cell that is not a number, or that are nominal in the model;
  /// notes those that also have numbers. Labels and dropped columns stay as they are.
  void choose_types(const SourceText& source, std::vector<Attribute>& columns,
                    const std::vector<bool>& labels, const std::vector<bool>& dropped,
                    const ReadOptions& options);

 private:
  struct Seen {
    bool has_numbers = false;
    const char* first_text = nullptr;  ///< the first cell that is not a number
    std::string text = {};
  };
  static void look_at(Seen& found, const Cell& cell);
  Seen& seen(std::size_t column) {
    if (column >= columns_.size()) columns_.resize(column + 1);
    return columns_[column];
  }

  std::vector<Seen> columns_;
};

}  // namespace mugrad::formats

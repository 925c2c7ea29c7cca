// SPDX-License-Identifier: MIT
#include "data/formats/csv/decimal_comma.h"

#include "data/formats/csv/csv_records.h"
#include "data/formats/number.h"
#include "data/formats/table/column_types.h"
#include "data/formats/table/model_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace mugrad::formats {
namespace {

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// The cells of a column.
struct ColumnNumbers {
  Index commas = 0;
  Index points = 0;
  Index whole = 0;
  Index texts = 0;
  std::string first;  ///< the first number with a comma
  const char* at = nullptr;

  bool has_decimal_commas(NumberColumn column) const noexcept {
    if (commas == 0 || points > 0 || column == NumberColumn::no) return false;
    return column == NumberColumn::yes || are_numbers(commas + whole, commas + whole + texts);
  }
};

void look(ColumnNumbers& column, const Cell& cell, std::string& number) {
  if (cell.missing || means_missing(cell.text)) return;
  if (const auto value = with_point(cell.text, number); value.data() != cell.text.data()) {
    if (column.commas++ == 0) {
      column.first = cell.text;
      column.at = cell.at;
    }
  } else if (!number_in(cell.text)) {
    ++column.texts;
  } else {
    ++(cell.text.find('.') == cell.text.npos ? column.whole : column.points);
  }
}

}  // namespace

std::string_view with_point(std::string_view text, std::string& number) {
  const auto comma = text.find(',');
  if (comma == text.npos || comma == 0 || comma + 1 == text.size()) return text;
  if (!is_digit(text[comma - 1]) || !is_digit(text[comma + 1])) return text;
  number = text;
  number[comma] = '.';
  return number_in(number) ? std::string_view(number) : text;
}

std::vector<bool> find_decimal_commas(const SourceText& source, const char* rows,
                                      const CsvLayout& layout, const TableColumns& columns,
                                      const ReadOptions& options) {
  const bool is_possible =
      layout.delimiter == ';' && std::memchr(rows, ',', as_size(source.end() - rows)) != nullptr;
  if (!is_possible) return {};
  std::vector<ColumnNumbers> numbers(layout.width);
  std::string number;
  CsvRecords records(source, rows, layout);
  const auto visit = [&](std::size_t column, const Cell& cell) {
    look(numbers[column], cell, number);
  };
  while (records.next(visit)) source.release_before(records.position());

  const auto kinds = number_columns(columns, options);
  std::vector<bool> found;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    found.push_back(!columns.dropped[i] && numbers[i].has_decimal_commas(kinds[i]));
  }
  const auto count = std::ranges::count(found, true);
  if (count == 0) return {};
  const auto first = std::ranges::find(found, true) - found.begin();
  const auto& column = numbers[as_size(first)];
  options.tell(fmt::format("{} column{} decimal commas, such as {} with {} on line {}", count,
                           count == 1 ? " has" : "s have",
                           shown(columns.header.attributes[as_size(first)].name),
                           shown(column.first), source.line_of(column.at)));
  return found;
}

}  // namespace mugrad::formats

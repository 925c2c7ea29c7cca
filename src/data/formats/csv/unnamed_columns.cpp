// SPDX-License-Identifier: MIT
#include "data/formats/csv/unnamed_columns.h"

#include "core/printable.h"
#include "data/formats/number.h"
#include "data/formats/table/model_types.h"

#include <mugrad/core/option_text.h>

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace mugrad::formats {
namespace {

/// So many numbers of rows are compared, so that memory does not depend on the number of rows.
constexpr std::size_t kMostNumbers = 1 << 20;

/// Whether the numbers of all rows are known and different.
bool number_rows(std::vector<std::optional<Index>> numbers) {
  std::ranges::sort(numbers);
  return !numbers.empty() && numbers.front().has_value() && *numbers.front() >= 0 &&
         std::ranges::adjacent_find(numbers) == numbers.end();
}

}  // namespace

UnnamedColumns find_unnamed(const SourceText& source, const std::vector<Attribute>& columns,
                            CsvScanner scanner) {
  UnnamedColumns unnamed;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].name.empty()) unnamed.positions.push_back(i);
  }
  if (unnamed.positions.empty()) return unnamed;
  const auto last = columns.size() - 1;
  unnamed.ends_with_delimiter = unnamed.positions.back() == last;
  const bool looks_at_first = unnamed.positions.front() == 0;
  std::vector<std::optional<Index>> numbers;  // of the first column
  while (scanner.next_record()) {
    CsvCell cell;
    for (std::size_t i = 0; !cell.last; ++i) {
      cell = scanner.next_cell();
      const bool is_looked_at = i == 0 && looks_at_first && numbers.size() < kMostNumbers;
      if (is_looked_at) numbers.push_back(integer_in(cell.text));
      if (i == last && !cell.text.empty()) unnamed.ends_with_delimiter = false;
    }
    source.reached(scanner.position());
    source.release_before(scanner.position());
  }
  unnamed.starts_with_row_numbers = number_rows(std::move(numbers));
  if (unnamed.ends_with_delimiter) unnamed.positions.pop_back();
  return unnamed;
}

void name_unnamed(std::vector<Attribute>& columns, const UnnamedColumns& unnamed) {
  for (const auto i : unnamed.positions) {
    auto name = fmt::format("column {}", i + 1);
    while (std::ranges::find(columns, name, &Attribute::name) != columns.end()) name += '_';
    columns[i].name = std::move(name);
  }
}

void leave_out_row_numbers(TableColumns& columns, const UnnamedColumns& unnamed,
                           const ReadOptions& options) {
  const auto& attributes = columns.header.attributes;
  std::vector<std::string> named;
  for (const auto i : unnamed.positions) {
    const bool is_free = attributes[i].type == AttributeType::open && !columns.dropped[i];
    const bool are_row_numbers = i == 0 && unnamed.starts_with_row_numbers && is_free;
    if (are_row_numbers && !used_by_model(columns, options)[i]) {
      columns.dropped[i] = true;
      options.tell(
          fmt::format("left out the first column, which has no name: it numbers the rows "
                      "({} keeps it)",
                      option_text(Option::number_columns, attributes[i].name)));
    } else {
      named.push_back(attributes[i].name);
    }
  }
  if (named.empty()) return;
  options.tell(
      fmt::format("columns without a name in the first line are called {}", listing(named)));
}

}  // namespace mugrad::formats

// SPDX-License-Identifier: MIT
#include "data/formats/table/column_types.h"

#include "data/formats/number.h"
#include "data/formats/table/known_names.h"

#include <fmt/format.h>

#include <utility>

namespace mugrad::formats {

void TypeSurvey::look_at(Seen& found, const Cell& cell) {
  if (number_in(cell.text)) {
    found.has_numbers = true;
  } else if (found.first_text == nullptr) {
    found.first_text = cell.at;
    found.text = cell.text;
  }
}

void TypeSurvey::arrange(std::span<const std::size_t> columns) {
  std::vector<Seen> arranged;
  arranged.reserve(columns.size());
  for (const auto column : columns) arranged.push_back(std::move(seen(column)));
  columns_ = std::move(arranged);
}

void TypeSurvey::choose_types(const SourceText& source, std::vector<Attribute>& columns,
                              const std::vector<bool>& labels, const std::vector<bool>& dropped,
                              const ReadOptions& options) {
  const KnownNames known(options.encode_like);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    auto& column = columns[i];
    const auto& found = seen(i);
    if (labels[i] || dropped[i]) continue;
    if (found.first_text == nullptr && !known.one_hot(column.name)) continue;
    column.type = AttributeType::text;
    if (found.first_text != nullptr && found.has_numbers) {
      options.tell(fmt::format("column {} is treated as nominal: {} on line {} is not a number",
                               shown(column.name), shown(found.text),
                               source.line_of(found.first_text)));
    }
  }
}

}  // namespace mugrad::formats

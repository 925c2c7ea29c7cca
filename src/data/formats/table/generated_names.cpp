// SPDX-License-Identifier: MIT
#include "data/formats/table/generated_names.h"

#include "data/formats/source_text.h"

#include <mugrad/core/error.h>
#include <mugrad/core/option_text.h>

#include <fmt/format.h>

#include <algorithm>

namespace mugrad::formats {

std::string value_name(std::string_view column, std::string_view value) {
  return fmt::format("{}{}{}", column, kBeforeValue, value);
}

std::string missing_number_name(std::string_view column) {
  return fmt::format("{} {}", column, kMissingValue);
}

std::array<std::string, kDateParts> date_names(std::string_view column) {
  return {fmt::format("{} (days)", column), fmt::format("{} (month)", column),
          fmt::format("{} (weekday)", column), fmt::format("{} (hour)", column)};
}

void append_term_names(std::string_view column, std::span<const std::string> terms, Index width,
                       std::vector<std::string>& names) {
  for (const auto& term : terms) names.push_back(fmt::format("{}{}{}", column, kBeforeTerm, term));
  for (Index k = std::ssize(terms); k < width; ++k) {
    names.push_back(fmt::format("{}{}#{}", column, kBeforeTerm, k));
  }
}

ColumnNameCheck::ColumnNameCheck(const std::vector<FeatureColumn>& columns,
                                 const std::string& file)
    : file_(file) {
  for (const auto& column : columns) sorted_.emplace_back(column.attribute->name);
  std::ranges::sort(sorted_);
}

void ColumnNameCheck::check_alone(const std::string& column, char before) const {
  const std::string prefix = column + before;
  const auto next = std::ranges::lower_bound(sorted_, prefix);
  if (next == sorted_.end() || !next->starts_with(prefix)) return;
  throw InputError(fmt::format(
      "{}: attribute {} becomes a column per {}, named {} and the {}, and attribute {} "
      "could be one of them: rename one, or leave it out ({})",
      file_, shown(column), before == kBeforeTerm ? "term" : "value", shown(prefix),
      before == kBeforeTerm ? "term" : "value", shown(*next), option_text(Option::drop)));
}

bool ColumnNameCheck::is_of_longer(std::string_view name, std::size_t from) const {
  if (is_column(name)) return true;
  for (auto at = name.find(kBeforeValue, from); at != std::string_view::npos;
       at = name.find(kBeforeValue, at + 1)) {
    if (is_column(name.substr(0, at))) return true;
  }
  return false;
}

bool ColumnNameCheck::is_column(std::string_view text) const {
  return std::ranges::binary_search(sorted_, text);
}

}  // namespace mugrad::formats

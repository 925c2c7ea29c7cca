// SPDX-License-Identifier: MIT
#include "column_summary.h"

#include "core/printable.h"
#include "report/text_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace mugrad::cli {
namespace {

/// A line that names more columns than this is hard to read.
constexpr std::size_t kMostNamed = 8;
constexpr std::size_t kMostListed = 40;
constexpr std::size_t kWidestCell = 24;

constexpr ColumnRole kRoles[] = {ColumnRole::text,   ColumnRole::number, ColumnRole::category,
                                 ColumnRole::date,   ColumnRole::tags,   ColumnRole::identifier,
                                 ColumnRole::ignored};

/// What is worth saying of a column besides its role: "3 missing, 1 is no number".
std::string remarks(const ColumnSummary& column, const TableSummary& table) {
  std::vector<std::string> found;
  if (column.role == ColumnRole::category && !column.is_label) {
    found.push_back(fmt::format("{} value{}", column.distinct, column.distinct == 1 ? "" : "s"));
  }
  if (column.role == ColumnRole::tags) {
    found.push_back(table.separator.empty() ? "JSON arrays"
                                            : fmt::format("separated by '{}'", table.separator));
  }
  if (column.missing > 0 && column.role == ColumnRole::tags) {
    found.push_back(
        fmt::format("empty in {} row{}", column.missing, column.missing == 1 ? "" : "s"));
  } else if (column.missing > 0) {
    found.push_back(fmt::format("{} missing", column.missing));
  }
  if (column.odd > 0) {
    found.push_back(fmt::format("{} {} no {}", column.odd, column.odd == 1 ? "is" : "are",
                                to_string(column.role)));
  }
  return fmt::format("{}", fmt::join(found, ", "));
}

std::string_view role_name(const ColumnSummary& column) {
  return column.is_label && column.role != ColumnRole::tags ? "label" : to_string(column.role);
}

std::string shortened(const std::string& cell) {
  const std::string text = printable(cell);
  if (text.size() <= kWidestCell) return text;
  auto end = kWidestCell;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + "...";
}

}  // namespace

std::string roles_text(const TableSummary& summary) {
  std::string text;
  for (const ColumnRole role : kRoles) {
    std::vector<std::string> named;
    std::size_t count = 0;
    for (const auto& column : summary.columns) {
      if (column.role != role || (column.is_label && role != ColumnRole::tags)) continue;
      if (count++ >= kMostNamed) continue;
      const auto remark = remarks(column, summary);
      named.push_back(printable(column.name) + (remark.empty() ? "" : " (" + remark + ")"));
    }
    if (count == 0) continue;
    text += fmt::format("\n  {:<10}  {}{}", to_string(role), fmt::join(named, ", "),
                        count > kMostNamed ? fmt::format(" and {} more", count - kMostNamed) : "");
  }
  return text;
}

std::string columns_text(const TableSummary& summary) {
  std::vector<std::string> titles = {"column", "role", "remarks"};
  for (std::size_t row = 0; row < summary.first_rows.size(); ++row) {
    titles.push_back(fmt::format("row {}", row + 1));
  }
  TextTable table(titles);
  const auto shown = std::min(summary.columns.size(), kMostListed);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& column = summary.columns[i];
    std::vector<std::string> cells = {printable(column.name), std::string(role_name(column)),
                                      remarks(column, summary)};
    for (const auto& row : summary.first_rows) cells.push_back(shortened(row[i]));
    table.add(cells);
  }
  std::string text = table.text();
  if (shown < summary.columns.size()) {
    text += fmt::format("and {} more columns\n", summary.columns.size() - shown);
  }
  return text;
}

Json columns_json(const TableSummary& summary) {
  Json columns = Json::array();
  for (std::size_t i = 0; i < summary.columns.size(); ++i) {
    const auto& column = summary.columns[i];
    Json first = Json::array();
    for (const auto& row : summary.first_rows) first.push_back(row[i]);
    columns.push_back({{"name", column.name},
                       {"role", role_name(column)},
                       {"missing", column.missing},
                       {"odd", column.odd},
                       {"distinct", column.distinct},
                       {"first_values", first}});
  }
  return columns;
}

}  // namespace mugrad::cli

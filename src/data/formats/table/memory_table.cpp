// SPDX-License-Identifier: MIT
#include "data/formats/table/memory_table.h"

#include "data/formats/jsonl/json_text.h"
#include "data/formats/name_search.h"
#include "data/formats/number.h"
#include "data/formats/table/encoding.h"
#include "data/formats/table/model_types.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace mugrad::formats {
namespace {

Index size_of(const TableColumn& column) {
  return std::visit([](const auto& values) { return std::ssize(values); }, column.values);
}

/// The bytes of a column, and how many of them each cell takes.
struct Bytes {
  const char* begin;
  std::size_t per_cell;
};
Bytes bytes_of(const TableColumn& column) {
  return std::visit(
      [](const auto& values) {
        return Bytes{reinterpret_cast<const char*>(values.data()), sizeof(values[0])};
      },
      column.values);
}

void check_names(const SourceText& table, std::span<const TableColumn> columns) {
  TextMap<std::size_t> seen;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string& name = columns[i].name;
    if (name.empty()) table.fail(fmt::format("column {} has no name", i + 1));
    check_name_length(table, nullptr, name);
    const auto [first, added] = seen.emplace(name, i);
    if (added) continue;
    table.fail(
        fmt::format("columns {} and {} are both called {}", first->second + 1, i + 1, shown(name)));
  }
}

/// The rows of a table in memory, cell by cell as a file would have them.
class MemoryRows final : public TableReader {
 public:
  MemoryRows(const MemoryTable& table, std::size_t width, Progress* progress)
      : table_(table), width_(width), progress_(progress), columns_(table.columns()) {}

  bool survey(ColumnSurvey& survey) override {
    const Index here = row_;
    for (; row_ < table_.rows(); ++row_) {
      reached();
      for (std::size_t i = 0; i < width_; ++i) survey.add(i, cell(i));
      survey.end_row();
    }
    row_ = here;
    return true;
  }
  void read(TableBuilder& table, Index most) override {
    for (; row_ < table_.rows() && table.rows() < most; ++row_) {
      reached();
      for (std::size_t i = 0; i < width_; ++i) {
        const auto number = table.takes_numbers(i) ? lone_number(i) : std::nullopt;
        if (number && std::isfinite(*number)) {
          table.add_number(i, *number);
        } else {
          table.add(i, cell(i));
        }
      }
      table.end_row();
    }
  }
  bool has_sparse_rows() const override { return false; }
  const char* position() const noexcept override { return table_.position(0, row_); }
  void go_to(const char* at) override {
    row_ = (at - table_.position(0, 0)) / (table_.position(0, 1) - table_.position(0, 0));
  }

 private:
  /// Writes a value as a file would have it.
  struct ToText {
    Cell& cell;
    std::string& scratch;

    void operator()(std::monostate) const { cell.missing = true; }
    void operator()(double number) const {
      if (std::isnan(number)) return (*this)(std::monostate());
      scratch.clear();
      append_number(scratch, number);
      cell.text = scratch;
    }
    void operator()(std::string_view text) const {
      cell.text = text;
      cell.lasts = true;
    }
    void operator()(std::span<const std::string_view> list) const {
      scratch.clear();
      scratch += '[';
      for (const auto text : list) {
        if (scratch.size() > 1) scratch += ',';
        append_json_string(scratch, text);
      }
      scratch += ']';
      cell.text = scratch;
    }
  };

  /// The number of a cell that is one.
  std::optional<double> lone_number(std::size_t column) const {
    if (column >= columns_.size()) return std::nullopt;
    const auto& values = columns_[column].values;
    if (const auto* const numbers = std::get_if<std::span<const double>>(&values)) {
      return (*numbers)[as_size(row_)];
    }
    const auto& cells = std::get<std::span<const TableCell>>(values);
    const auto* const number = std::get_if<double>(&cells[as_size(row_)]);
    return number == nullptr ? std::nullopt : std::optional(*number);
  }

  /// Its text is valid until the next call, unless it lasts.
  Cell cell(std::size_t column) {
    if (column >= columns_.size()) return {.text = {}, .at = position(), .missing = true};
    Cell made{.text = {}, .at = table_.position(column, row_)};
    const ToText to_text{made, scratch_};
    if (const auto number = lone_number(column)) {
      to_text(*number);
    } else {
      const auto& cells = std::get<std::span<const TableCell>>(columns_[column].values);
      std::visit(to_text, cells[as_size(row_)]);
    }
    return made;
  }

  /// The table may be read several times; the share that is reported never falls.
  void reached() {
    constexpr Index kBetweenUpdates = 4096;
    if (row_ % kBetweenUpdates != 0) return;
    reported_ = std::max(reported_, static_cast<double>(row_) / static_cast<double>(table_.rows()));
    advance(progress_, reported_);
  }

  const MemoryTable& table_;
  std::size_t width_;  ///< with columns of a model that the table lacks
  Progress* progress_;
  std::span<const TableColumn> columns_;
  Index row_ = 0;
  double reported_ = 0;
  std::string scratch_;
};

}  // namespace

MemoryTable::MemoryTable(std::string name, std::span<const TableColumn> columns)
    : SourceText(std::move(name)),
      columns_(columns),
      rows_(columns.empty() ? 0 : size_of(columns.front())) {
  if (columns.empty()) fail("there are no columns");
  check_names(*this, columns);
  for (const auto& column : columns) {
    if (size_of(column) == rows_) continue;
    fail(fmt::format("column {} has {} rows, and column {} has {}", shown(columns.front().name),
                     rows_, shown(column.name), size_of(column)));
  }
  if (rows_ == 0) fail("there are no rows");
}

const char* MemoryTable::position(std::size_t column, Index row) const noexcept {
  const auto bytes = bytes_of(columns_[column]);
  return bytes.begin + as_size(row) * bytes.per_cell;
}

MemoryTable::Place MemoryTable::find(const char* at) const noexcept {
  constexpr std::less<const char*> before;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (before(at, position(i, 0)) || !before(at, position(i, rows_))) continue;
    return {i, static_cast<Index>(as_size(at - position(i, 0)) / bytes_of(columns_[i]).per_cell)};
  }
  return {0, 0};
}

std::string MemoryTable::line_text(const char* at) const {
  return fmt::format("in row {}", find(at).row + 1);
}

std::string MemoryTable::place_of(const char* at) const {
  const auto [column, row] = find(at);
  return fmt::format("{}: row {}, column {}", name(), row + 1, shown(columns_[column].name));
}

std::unique_ptr<TableReader> memory_rows(const MemoryTable& table, std::size_t width,
                                         Progress* progress) {
  return std::make_unique<MemoryRows>(table, width, progress);
}

}  // namespace mugrad::formats

namespace mugrad {

Dataset read_table(std::span<const TableColumn> columns, const ReadOptions& options,
                   const std::string& name) {
  const formats::MemoryTable table(name, columns);
  formats::TableHeader header;
  header.name = name;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    header.attributes.push_back({.name = header.as_utf8(columns[i].name),
                                 .type = formats::AttributeType::open,
                                 .at = table.position(i, 0),
                                 .is_lenient = true});
  }
  auto found = formats::find_columns(std::move(header), name, Format::jsonl, options);
  formats::add_absent_columns(found, table, table.position(0, 0), options);
  auto rows = formats::memory_rows(table, found.header.attributes.size(), options.progress);
  Dataset data = formats::table_rows(table, std::move(found), options, std::move(rows))
                     ->next(formats::RowSource::kAll);
  if (options.missing == Missing::mean) formats::impute_means(data.x, data.feature_names, options);
  return data;
}

}  // namespace mugrad

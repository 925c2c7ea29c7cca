// SPDX-License-Identifier: MIT
#include "core/input/input_name.h"
#include "data/formats/formats.h"
#include "data/formats/jsonl/json_columns.h"
#include "data/formats/jsonl/json_records.h"
#include "data/formats/number.h"
#include "data/formats/table/label_search.h"
#include "data/formats/table/model_types.h"
#include "data/formats/table/table_rows.h"

#include <mugrad/core/memory.h>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace mugrad::formats {
namespace {

/// The objects of a file, and the keys that occur in them.
struct JsonTable {
  explicit JsonTable(const SourceText& source) : records(source, source.begin(), keys) {}

  JsonKeys keys;
  JsonRecords records;
  Index rows = 0;
};

/// Reads all records for their keys.
void find_keys(const SourceText& source, JsonTable& table) {
  auto& records = table.records;
  while (records.next()) {
    ++table.rows;
    source.reached(records.record());
    source.release_before(records.record());
  }
  records.go_to(source.begin());
}

class JsonRows final : public TableReader {
 public:
  JsonRows(const SourceText& source, std::unique_ptr<JsonTable> table,
           std::vector<std::int32_t> column_of, std::size_t width)
      : source_(source),
        table_(std::move(table)),
        column_of_(std::move(column_of)),
        cells_(width),
        visited_(width) {
    std::iota(visited_.begin(), visited_.end(), std::size_t{0});
  }

  bool survey(ColumnSurvey& survey) override {
    const char* const here = position();
    std::vector<Index> seen(cells_.size(), 0);
    const auto look = [&](std::size_t column, const Cell& cell) {
      survey.add(column, cell);
      ++seen[column];
    };
    // A file in which every record has other keys has far fewer values than its table has cells.
    while (survey.keeps_row() ? next(look) : next_values(look)) {
      survey.end_row();
      source_.release_before(table_->records.record());
    }
    for (std::size_t column = 0; column < seen.size(); ++column) {
      survey.add_missing(column, survey.rows() - seen[column]);
    }
    go_to(here);
    return true;
  }
  void read(TableBuilder& table, Index most) override {
    std::erase_if(visited_, [&](std::size_t column) { return !table.uses(column); });
    const Index rows = std::min(most, table_->rows);
    require_memory_for(rows);
    table.expect_rows(rows);
    const auto put = [&](std::size_t column, const Cell& cell) {
      const int digit = lone_digit(cell.text);
      if (digit < 0 || !table.add_digit(column, digit)) table.add(column, cell);
    };
    while (table.rows() < most && next(put)) table.end_row();
  }
  bool has_sparse_rows() const override { return false; }
  const char* position() const noexcept override { return table_->records.position(); }
  void go_to(const char* at) override { table_->records.go_to(at); }

 private:
  /// Calls visit(column, cell) for every column that is not left out, ascending; returns false if
  /// there are no more records.
  template <class Visit>
  bool next(Visit&& visit) {
    for (const auto column : visited_) {
      cells_[column] = {.text = {}, .at = nullptr, .missing = true};
    }
    if (!next_values([&](std::size_t column, const Cell& cell) { cells_[column] = cell; })) {
      return false;
    }
    for (const auto column : visited_) {
      if (cells_[column].missing) cells_[column].at = table_->records.record();
      visit(column, cells_[column]);
    }
    return true;
  }

  /// The same for the columns of which the record has a value, in any order.
  template <class Visit>
  bool next_values(Visit&& visit) {
    auto& records = table_->records;
    if (!records.next()) return false;
    source_.reached(records.record());
    for (const auto& [key, is_number, cell] : records.values()) {
      // A key that was not there in the first pass means that the file has changed since.
      if (as_size(key) >= column_of_.size()) continue;
      const auto column = column_of_[as_size(key)];
      if (column != JsonColumns::kNone) visit(as_size(column), cell);
    }
    return true;
  }

  /// The table has a cell for every record and key, and is copied when it is encoded.
  void require_memory_for(Index rows) const {
    const double cells = static_cast<double>(rows) * static_cast<double>(visited_.size());
    require_memory(
        {"values", 2 * cells * static_cast<double>(sizeof(double))},
        fmt::format("reading {} ({} rows of {} keys)", source_.name(), rows, visited_.size()),
        "fewer keys");
  }

  const SourceText& source_;
  std::unique_ptr<JsonTable> table_;
  std::vector<std::int32_t> column_of_;  ///< of each key
  std::vector<Cell> cells_;              ///< of the current record
  std::vector<std::size_t> visited_;     ///< the columns that are not left out
};

constexpr std::string_view kEndings[] = {".jsonl", ".ndjson"};

/// Whether the text starts with an object, or with an array of objects: that is refused, but with
/// words about JSON.
bool starts_with_object(const SourceText& source, std::string_view first) {
  std::string_view text(first.data(), as_size(source.end() - first.data()));
  const auto skip_blanks = [&] {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  };
  if (text.starts_with('[')) {
    text.remove_prefix(1);
    skip_blanks();
  }
  if (!text.starts_with('{')) return false;
  text.remove_prefix(1);
  skip_blanks();
  if (text.starts_with('"')) return true;
  // An empty object, not a name that begins like one.
  return text.starts_with('}') &&
         trimmed(text.substr(1, text.find('\n') - 1)).find_first_not_of("\r]") == text.npos;
}

std::unique_ptr<RowSource> open_jsonl(const SourceText& source, const std::filesystem::path& path,
                                      const ReadOptions& options) {
  auto table = std::make_unique<JsonTable>(source);
  find_keys(source, *table);
  JsonColumns found = columns_of(table->keys, source);
  TableHeader header;
  header.name = header.as_utf8(data_name(path));
  header.attributes = found.attributes;
  auto columns = find_columns(std::move(header), path, Format::jsonl, options);
  leave_out_nested_values(columns, table->keys, found, source, options);
  leave_out_rare_keys(columns, found, table->rows, options);
  add_absent_columns(columns, source, source.begin(), options);
  const auto width = columns.header.attributes.size();
  auto rows =
      std::make_unique<JsonRows>(source, std::move(table), std::move(found.column_of), width);
  return table_rows(source, std::move(columns), options, std::move(rows));
}

RowTexts jsonl_row_texts(const SourceText& source, const std::filesystem::path& /*path*/,
                         const ReadOptions& /*options*/) {
  RowTexts texts;
  LineReader lines(source.begin(), source.end());
  std::string_view line;
  while (lines.next(line)) {
    source.reached(line.data());
    if (!trimmed(line).empty()) texts.rows.push_back(line);
  }
  return texts;
}

}  // namespace

const FormatKind& jsonl_format() {
  static const FormatKind kind = {.info = {.format = Format::jsonl,
                                           .name = "jsonl",
                                           .title = "JSON lines",
                                           .endings = kEndings,
                                           .has_names = true,
                                           .declares_labels = false,
                                           .row_copies = RowCopies::always},
                                  .matches = starts_with_object,
                                  .open = open_jsonl,
                                  .row_texts = jsonl_row_texts,
                                  .write = write_jsonl};
  return kind;
}

}  // namespace mugrad::formats

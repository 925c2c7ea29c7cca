// SPDX-License-Identifier: MIT
#include "core/input/input_name.h"
#include "data/formats/formats.h"
#include "data/formats/jsonl/json_columns.h"
#include "data/formats/jsonl/json_records.h"
#include "data/formats/jsonl/json_texts.h"
#include "data/formats/jsonl/key_columns.h"
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
  /// Requires: source and options outlive this.
  JsonRows(const SourceText& source, const ReadOptions& options, std::unique_ptr<JsonTable> table,
           KeyColumns columns, std::size_t width)
      : source_(source),
        options_(options),
        table_(std::move(table)),
        columns_(std::move(columns)),
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
    const BlockEnd block(source_, position(), most);
    const auto is_there = [&] { return table_->records.is_next_there(); };
    while (!block.is_reached(table.rows(), position(), is_there) && next(put)) table.end_row();
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
    if (!records.next()) {
      if (!std::exchange(is_told_, true)) tell_of_columns(columns_.in_rows(), source_, options_);
      return false;
    }
    source_.reached(records.record());
    for (const auto& [key, is_number, cell] : records.values()) {
      const auto column = columns_.of(key);
      if (column != JsonColumns::kNone) visit(as_size(column), cell);
    }
    columns_.check_values();
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
  const ReadOptions& options_;
  std::unique_ptr<JsonTable> table_;
  KeyColumns columns_;
  std::vector<Cell> cells_;           ///< of the current record
  std::vector<std::size_t> visited_;  ///< the columns that are not left out
  bool is_told_ = false;
};

constexpr std::string_view kEndings[] = {".jsonl", ".ndjson"};

/// Whether the text starts with an object, or with an array of objects.
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

/// Whether the columns are those of a model, and no option names others.
bool has_columns_of_model(const ReadOptions& options) {
  return needs_no_rows(options) && options.label_columns.empty() && !options.label_count &&
         options.tags.empty() && options.drop.empty() && options.roles.empty() && !options.summary;
}

/// Columns that a model needs, whatever keys come.
TableHeader header_of_model(const SourceText& source, const std::filesystem::path& path,
                            const std::vector<std::string>& names) {
  TableHeader header;
  header.name = header.as_utf8(data_name(path));
  for (const auto& name : names) {
    header.attributes.push_back(
        {.name = name, .type = AttributeType::open, .at = source.begin(), .is_lenient = true});
  }
  return header;
}

/// Reads the records once. Null if none of them has a column of the model.
std::unique_ptr<RowSource> open_for_model(const SourceText& source,
                                          const std::filesystem::path& path,
                                          const ReadOptions& options) {
  auto table = std::make_unique<JsonTable>(source);
  const auto names = needed_columns(options);
  KeyColumns keys(table->keys, source, names);
  while (!keys.has_any()) {
    if (!table->records.next()) return nullptr;
  }
  table->records.go_to(source.begin());
  auto columns = find_columns(header_of_model(source, path, names), path, Format::jsonl, options);
  auto rows =
      std::make_unique<JsonRows>(source, options, std::move(table), std::move(keys), names.size());
  return table_rows(source, std::move(columns), options, std::move(rows));
}

std::unique_ptr<RowSource> open_jsonl(const SourceText& source, const std::filesystem::path& path,
                                      const ReadOptions& options) {
  if (has_columns_of_model(options)) {
    if (auto rows = open_for_model(source, path, options)) return rows;
  }
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
  auto rows = std::make_unique<JsonRows>(source, options, std::move(table),
                                         KeyColumns(std::move(found.column_of)), width);
  return table_rows(source, std::move(columns), options, std::move(rows));
}

bool reads_live_jsonl(const SourceText& head, const ReadOptions& options) {
  return has_columns_of_model(options) && !JsonTexts(head, head.begin()).are_items();
}

RowTexts jsonl_row_texts(const SourceText& source, const std::filesystem::path& /*path*/,
                         const ReadOptions& /*options*/) {
  JsonTexts records(source, source.begin());
  RowTexts texts;
  if (records.are_items()) texts = {.head = "[", .between = ",\n", .end = "\n]\n"};
  std::string_view text;
  while (records.next(text)) {
    source.reached(text.data());
    texts.rows.push_back(text);
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
                                  .reads_live = reads_live_jsonl,
                                  .row_texts = jsonl_row_texts,
                                  .write = write_jsonl};
  return kind;
}

}  // namespace mugrad::formats

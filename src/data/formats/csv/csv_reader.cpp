// SPDX-License-Identifier: MIT
#include "core/input/input_name.h"
#include "data/formats/csv/csv_records.h"
#include "data/formats/csv/csv_scanner.h"
#include "data/formats/csv/decimal_comma.h"
#include "data/formats/csv/delimiter.h"
#include "data/formats/csv/unnamed_columns.h"
#include "data/formats/formats.h"
#include "data/formats/name_search.h"
#include "data/formats/number.h"
#include "data/formats/table/column_names.h"
#include "data/formats/table/label_search.h"
#include "data/formats/table/table_rows.h"

#include <fmt/format.h>

#include <algorithm>

namespace mugrad::formats {
namespace {

void check_named(const SourceText& source, const std::vector<Attribute>& columns) {
  TextMap<std::size_t> seen;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string& name = columns[i].name;
    const char* const at = columns[i].at;
    if (name.empty()) continue;
    const auto [first, added] = seen.emplace(name, i);
    if (!added) {
      source.fail(at, fmt::format("columns {} and {} are both called {}", first->second + 1, i + 1,
                                  shown(name)));
    }
  }
  std::vector<std::string_view> names;
  names.reserve(columns.size());
  for (const auto& [name, _] : seen) names.emplace_back(name);
  if (names.empty()) source.fail("the first line has no column names");
  if (are_measurements(names)) {
    source.fail(source.begin(), "the first line contains only numbers, expected column names");
  }
}

/// A carriage return that is not quoted ends no line, but in files of old Macs it should.
void check_line_ends(const SourceText& source, const CsvCell& name) {
  const auto at = name.text.find('\r');
  if (at == name.text.npos || *name.at == '"') return;
  source.fail(
      name.text.data() + at,
      "this carriage return has no newline after it; expected lines that end with a newline");
}

TableHeader read_header(const SourceText& source, const std::filesystem::path& path,
                        CsvScanner& scanner) {
  TableHeader header;
  header.name = header.as_utf8(data_name(path));
  if (!scanner.next_record()) source.fail("the file has no line of column names");
  bool last = false;
  while (!last) {
    const auto cell = scanner.next_cell();
    check_line_ends(source, cell);
    check_name_length(source, cell.at, cell.text);
    header.attributes.push_back({.name = header.as_utf8(cell.text),
                                 .type = AttributeType::open,
                                 .at = cell.at,
                                 .is_lenient = true});
    last = cell.last;
  }
  check_named(source, header.attributes);
  return header;
}

class CsvRows final : public TableReader {
 public:
  CsvRows(const SourceText& source, CsvRecords records)
      : source_(source), records_(std::move(records)) {}

  bool survey(ColumnSurvey& survey) override {
    const char* const here = records_.position();
    const auto look = [&](std::size_t column, const Cell& cell) { survey.add(column, cell); };
    while (records_.next(look)) {
      survey.end_row();
      source_.release_before(records_.position());
    }
    records_.go_to(here);
    return true;
  }
  void read(TableBuilder& table, Index most) override {
    const auto put = [&](std::size_t column, const Cell& cell) {
      const int digit = lone_digit(cell.text);
      if (digit < 0 || !table.add_digit(column, digit)) table.add(column, cell);
    };
    const BlockEnd block(source_, records_.position(), most);
    const auto is_there = [&] { return records_.is_next_there(); };
    while (!block.is_reached(table.rows(), records_.position(), is_there) && records_.next(put)) {
      table.end_row();
    }
  }
  bool has_sparse_rows() const override { return false; }
  const char* position() const noexcept override { return records_.position(); }
  void go_to(const char* at) override { records_.go_to(at); }

 private:
  const SourceText& source_;
  CsvRecords records_;
};

constexpr std::string_view kEndings[] = {".csv", ".tsv"};

/// A quoted name may hold the newline before the first delimiter.
bool has_delimiter(const SourceText&, std::string_view first) {
  return first.starts_with('"') || first.find_first_of(kDelimiters) != std::string_view::npos;
}

std::unique_ptr<RowSource> open_csv(const SourceText& source, const std::filesystem::path& path,
                                    const ReadOptions& options) {
  CsvLayout layout{.delimiter = find_delimiter(source, path, options)};
  CsvScanner scanner(source, source.begin(), layout.delimiter);
  auto header = read_header(source, path, scanner);
  const auto unnamed = find_unnamed(source, header.attributes, scanner);
  layout.ends_with_delimiter = unnamed.ends_with_delimiter;
  if (layout.ends_with_delimiter) header.attributes.pop_back();
  name_unnamed(header.attributes, unnamed);
  auto columns = find_columns(std::move(header), path, Format::csv, options);
  leave_out_row_numbers(columns, unnamed, options);
  const char* rows = scanner.position();
  layout.width = columns.header.attributes.size();
  layout.decimal_commas = find_decimal_commas(source, rows, layout, columns, options);
  CsvRecords records(source, rows, std::move(layout));
  return table_rows(source, std::move(columns), options,
                    std::make_unique<CsvRows>(source, std::move(records)));
}

/// The record from here, without its line end; the scanner is behind it then.
std::string_view record_text(CsvScanner& scanner) {
  const char* const begin = scanner.position();
  while (!scanner.next_cell().last) continue;
  std::string_view text(begin, as_size(scanner.position() - begin));
  while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

/// Whether no row but the first line decides what separates cells and what numbers look like: one
/// delimiter occurs in it, and with that numbers have no decimal commas.
bool reads_live_csv(const SourceText& head, const ReadOptions& options) {
  constexpr char kWithDecimalCommas = ';';
  if (options.delimiter) return *options.delimiter != kWithDecimalCommas;
  LineReader lines(head.begin(), head.end());
  std::string_view line;
  while (lines.next(line) && trimmed(line).empty()) continue;
  const auto in_line = [&](char delimiter) { return line.find(delimiter) != line.npos; };
  const bool is_whole = std::ranges::count(line, '"') % 2 == 0;
  return is_whole && std::ranges::count_if(kDelimiters, in_line) == 1 &&
         !in_line(kWithDecimalCommas);
}

RowTexts csv_row_texts(const SourceText& source, const std::filesystem::path& path,
                       const ReadOptions& options) {
  CsvScanner scanner(source, source.begin(), find_delimiter(source, path, options));
  RowTexts texts;
  if (scanner.next_record()) texts.head = record_text(scanner);
  while (scanner.next_record()) {
    source.reached(scanner.position());
    texts.rows.push_back(record_text(scanner));
  }
  return texts;
}

}  // namespace

const FormatKind& csv_format() {
  static const FormatKind kind = {.info = {.format = Format::csv,
                                           .name = "csv",
                                           .title = "CSV",
                                           .endings = kEndings,
                                           .has_names = true,
                                           .declares_labels = false,
                                           .has_delimiter = true,
                                           .row_copies = RowCopies::where_features_lose},
                                  .matches = has_delimiter,
                                  .match_is_certain = false,
                                  .open = open_csv,
                                  .reads_live = reads_live_csv,
                                  .row_texts = csv_row_texts,
                                  .write = write_csv};
  return kind;
}

}  // namespace mugrad::formats

// SPDX-License-Identifier: MIT
#include "core/input/input_name.h"
#include "data/formats/csv/csv_scanner.h"
#include "data/formats/formats.h"
#include "data/formats/name_search.h"
#include "data/formats/number.h"
#include "data/formats/table/column_names.h"
#include "data/formats/table/known_names.h"
#include "data/formats/table/label_search.h"
#include "data/formats/table/table_rows.h"

#include <fmt/format.h>

namespace mugrad::formats {
namespace {

void check_named(const SourceText& source, const std::vector<Attribute>& columns) {
  TextMap<std::size_t> seen;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto& [name, type, values, type_name, at] = columns[i];
    if (name.empty())
      source.fail(at, fmt::format("column {} has no name in the first line", i + 1));
    const auto [first, added] = seen.emplace(name, i);
    if (!added) {
      source.fail(at, fmt::format("columns {} and {} are both called {}", first->second + 1, i + 1,
                                  shown(name)));
    }
  }
  std::vector<std::string_view> names;
  names.reserve(columns.size());
  for (const Attribute& column : columns) names.emplace_back(column.name);
  if (are_measurements(names)) {
    source.fail(source.begin(), "the first line contains only numbers, expected column names");
  }
}

TableHeader read_header(const SourceText& source, const std::filesystem::path& path,
                        CsvScanner& scanner) {
  TableHeader header;
  header.name = header.as_utf8(data_name(path));
  if (!scanner.next_record()) source.fail("the file has no line of column names");
  bool last = false;
  while (!last) {
    const auto cell = scanner.next_cell();
    header.attributes.push_back({.name = header.as_utf8(cell.text), .at = cell.at});
    last = cell.last;
  }
  check_named(source, header.attributes);
  return header;
}

/// Calls visit(column, cell) for the cells of the next record and checks their number; returns
/// false if there are no more records.
template <class Visit>
bool read_record(const SourceText& source, CsvScanner& scanner, std::size_t width, Visit&& visit) {
  if (!scanner.next_record()) return false;
  const char* record = scanner.position();
  source.reached(record);
  std::size_t column = 0;
  for (bool last = false; !last; ++column) {
    const auto cell = scanner.next_cell();
    last = cell.last;
    if (column < width) visit(column, cell);
  }
  if (column != width) {
    source.fail(record,
                fmt::format("this row has {} values, expected {}, one per column", column, width));
  }
  return true;
}

/// The value of a text of one digit, or -1.
int lone_digit(std::string_view text) noexcept {
  return text.size() == 1 && text[0] >= '0' && text[0] <= '9' ? text[0] - '0' : -1;
}

/// The kinds of cells in a column.
struct ColumnCells {
  bool has_numbers = false;
  const char* first_text = nullptr;  ///< the first cell that is not a number
  std::string text;
};

std::vector<ColumnCells> look_at_cells(const SourceText& source, const char* begin,
                                       std::size_t width) {
  std::vector<ColumnCells> columns(width);
  const auto look = [&](std::size_t i, const CsvCell& cell) {
    auto& column = columns[i];
    if (cell.text.empty() || (column.has_numbers && column.first_text != nullptr)) return;
    if (number_in(cell.text)) {
      column.has_numbers = true;
    } else if (column.first_text == nullptr) {
      column.first_text = cell.at;
      column.text = cell.text;
    }
  };
  CsvScanner scanner(source, begin);
  while (read_record(source, scanner, width, look)) source.release_before(scanner.position());
  return columns;
}

/// Columns with a cell that is not a number are nominal, and so are those that are nominal in the
/// model.
void choose_types(const SourceText& source, const char* begin, TableHeader& header,
                  const std::vector<bool>& labels, const std::vector<bool>& dropped,
                  const ReadOptions& options) {
  const KnownNames known(options.encode_like);
  const auto cells = look_at_cells(source, begin, header.attributes.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    auto& column = header.attributes[i];
    if (labels[i] || dropped[i]) continue;
    if (cells[i].first_text == nullptr && !known.one_hot(column.name)) continue;
    column.type = AttributeType::text;
    if (cells[i].first_text != nullptr && cells[i].has_numbers) {
      options.tell(fmt::format("column {} is treated as nominal: {} on line {} is not a number",
                               shown(column.name), shown(cells[i].text),
                               source.line_of(cells[i].first_text)));
    }
  }
}

class CsvRows final : public TableReader {
 public:
  CsvRows(const SourceText& source, const char* begin) : source_(source), scanner_(source, begin) {}

  void read(TableBuilder& table, Index most) override {
    const auto put = [&](std::size_t column, const CsvCell& cell) {
      const int digit = lone_digit(cell.text);
      if (digit >= 0 && table.add_digit(column, digit)) return;
      table.add(column, {cell.text, cell.at, cell.text.empty()});
    };
    while (table.rows() < most && read_record(source_, scanner_, table.width(), put)) {
      table.end_row();
    }
  }
  bool has_sparse_rows() const override { return false; }
  const char* position() const noexcept override { return scanner_.position(); }
  void go_to(const char* at) override { scanner_.go_to(at); }

 private:
  const SourceText& source_;
  CsvScanner scanner_;
};

constexpr std::string_view kEndings[] = {".csv"};

/// A quoted name may hold the newline before the first comma.
bool has_comma(const SourceText&, std::string_view first) {
  return first.starts_with('"') || first.find(',') != std::string_view::npos;
}

std::unique_ptr<RowSource> open_csv(const SourceText& source, const std::filesystem::path& path,
                                    const ReadOptions& options) {
  CsvScanner scanner(source, source.begin());
  TableColumns columns{.header = read_header(source, path, scanner)};
  const char* rows = scanner.position();
  columns.labels = find_labels(columns.header, path, Format::csv, options);
  columns.dropped = find_dropped(columns.header, path, options);
  choose_types(source, rows, columns.header, columns.labels.is_label, columns.dropped, options);
  return table_rows(source, std::move(columns), options, std::make_unique<CsvRows>(source, rows));
}

}  // namespace

const FormatKind& csv_format() {
  static const FormatKind kind = {.info = {.format = Format::csv,
                                           .name = "csv",
                                           .title = "CSV",
                                           .endings = kEndings,
                                           .has_names = true,
                                           .declares_labels = false},
                                  .matches = has_comma,
                                  .match_is_certain = false,
                                  .open = open_csv,
                                  .write = write_csv};
  return kind;
}

}  // namespace mugrad::formats

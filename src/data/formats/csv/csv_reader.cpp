// SPDX-License-Identifier: MIT
#include "core/input/input_name.h"
#include "data/formats/csv/csv_scanner.h"
#include "data/formats/formats.h"
#include "data/formats/name_search.h"
#include "data/formats/number.h"
#include "data/formats/table/column_names.h"
#include "data/formats/table/label_search.h"
#include "data/formats/table/table_rows.h"

#include <fmt/format.h>

namespace mugrad::formats {
namespace {

void check_named(const SourceText& source, const std::vector<Attribute>& columns) {
  TextMap<std::size_t> seen;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string& name = columns[i].name;
    const char* const at = columns[i].at;
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
    header.attributes.push_back({.name = header.as_utf8(cell.text),
                                 .type = AttributeType::open,
                                 .at = cell.at,
                                 .is_lenient = true});
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

class CsvRows final : public TableReader {
 public:
  CsvRows(const SourceText& source, const char* begin) : source_(source), scanner_(source, begin) {}

  bool survey(ColumnSurvey& survey) override {
    const char* const here = scanner_.position();
    const auto look = [&](std::size_t column, const CsvCell& cell) {
      survey.add(column, {cell.text, cell.at, cell.text.empty()});
    };
    while (read_record(source_, scanner_, survey.columns(), look)) {
      survey.end_row();
      source_.release_before(scanner_.position());
    }
    scanner_.go_to(here);
    return true;
  }
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
  auto header = read_header(source, path, scanner);
  return table_rows(source, find_columns(std::move(header), path, Format::csv, options), options,
                    std::make_unique<CsvRows>(source, scanner.position()));
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

// SPDX-License-Identifier: MIT
#include "data/formats/arff/arff_header.h"
#include "data/formats/arff/arff_text.h"
#include "data/formats/arff/label_xml.h"
#include "data/formats/formats.h"
#include "data/formats/number.h"
#include "data/formats/table/label_search.h"
#include "data/formats/table/table_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace mugrad::formats {
namespace {

/// Reads the rows after @data.
class ArffRows final : public TableReader {
 public:
  ArffRows(const SourceText& source, const char* begin)
      : source_(source), lines_(begin, source.end()) {}

  bool declares_types() const noexcept override { return true; }
  /// Leaves it to read() to say what is wrong with a row.
  bool survey(ColumnSurvey& survey) override {
    const char* const here = position();
    while (next_row(lines_)) {
      source_.reached(at_);
      *at_ == '{' ? survey_sparse(survey) : survey_dense(survey);
      survey.end_row();
      source_.release_before(position());
    }
    go_to(here);
    return true;
  }

  void read(TableBuilder& table, Index most) override {
    table_ = &table;
    reads_all_ = most == RowSource::kAll;
    while (table.rows() < most && next_row(lines_)) {
      source_.reached(at_);
      *at_ == '{' ? read_sparse() : read_dense();
    }
  }

  bool has_sparse_rows() const override {
    LineReader lines = lines_;
    std::string_view row;
    while (next_row(lines, row)) {
      if (row.front() == '{') return true;
      source_.reached(row.data());
      source_.release_before(row.data());
    }
    return false;
  }

  const char* position() const noexcept override { return lines_.position(); }
  void go_to(const char* at) override { lines_ = LineReader(at, source_.end()); }

 private:
  /// The next line that is neither blank nor a comment.
  static bool next_row(LineReader& lines, std::string_view& row) noexcept {
    while (lines.next(row)) {
      row = trimmed(row);
      if (!row.empty() && row.front() != '%') return true;
    }
    return false;
  }
  bool next_row(LineReader& lines) noexcept {
    std::string_view row;
    if (!next_row(lines, row)) return false;
    at_ = row.data();
    end_ = row.data() + row.size();
    return true;
  }

  static bool ends_value(const char* at, const char* end) noexcept {
    return at == end || *at == ',' || *at == '}' || is_blank(*at);
  }

  /// The value of a single digit, or -1. Requires: not at the end.
  int lone_digit() const noexcept {
    const int digit = *at_ - '0';
    return digit >= 0 && digit <= 9 && ends_value(at_ + 1, end_) ? digit : -1;
  }

  /// Reads the value here if it is only a finite number, and the attribute takes numbers.
  std::optional<double> number_of(std::size_t attribute) noexcept {
    if (!table_->takes_numbers(attribute)) return std::nullopt;
    double value = 0;
    const char* const behind = scan_number(at_, end_, value);
    if (behind == at_ || !ends_value(behind, end_) || !std::isfinite(value)) return std::nullopt;
    at_ = behind;
    return value;
  }

  Cell cell(std::string_view stops) {
    const auto token = read_token(source_, at_, end_, stops, scratch_);
    return {token.text, token.at, token.text == "?" && !token.was_quoted};
  }

  void survey_dense(ColumnSurvey& survey) {
    for (std::size_t column = 0; column < survey.columns(); ++column) {
      at_ = skip_blanks(at_, end_);
      if (at_ == end_ || *at_ == ',') return;
      survey.add(column, cell(","));
      at_ = skip_blanks(at_, end_);
      if (at_ != end_ && *at_ == ',') ++at_;
    }
  }

  void survey_sparse(ColumnSurvey& survey) {
    do {
      at_ = skip_blanks(at_ + 1, end_);
      Index column = 0;
      const char* const behind = scan_column(at_, end_, column);
      if (behind == at_ || as_size(column) >= survey.columns()) return;
      at_ = skip_blanks(behind, end_);
      survey.add(as_size(column), cell(",}"));
      at_ = skip_blanks(at_, end_);
    } while (at_ != end_ && *at_ == ',');
  }

  void read_dense() {
    const char* row = at_;
    std::size_t values = 0;
    for (;; ++values) {
      at_ = skip_blanks(at_, end_);
      if (at_ != end_ && *at_ == '{' && values > 0) fail_weights();
      if (at_ == end_ || *at_ == ',') {
        source_.fail(at_, "a value is empty; a missing one is written '?'");
      }
      if (values == table_->width()) break;
      read_dense_value(values);
      at_ = skip_blanks(at_, end_);
      if (at_ == end_) break;
      if (*at_ == ',') ++at_;
    }
    if (at_ != end_ || values + 1 != table_->width()) fail_width(row);
    table_->end_row();
  }

  void read_dense_value(std::size_t attribute) {
    const int digit = lone_digit();
    if (digit >= 0 && table_->add_digit(attribute, digit)) {
      ++at_;
    } else if (const auto value = number_of(attribute)) {
      table_->add_number(attribute, *value);
    } else {
      table_->add(attribute, cell(","));
    }
  }

  void read_sparse() {
    if (reads_all_ && !std::exchange(seen_sparse_, true)) {
      table_->expect_entries(std::count(at_, source_.end(), ','));
    }
    const char* open = at_++;
    for (;;) {
      at_ = skip_blanks(at_, end_);
      if (at_ == end_) source_.fail(open, "this row is not closed by '}'");
      if (*at_ == '}') break;
      read_sparse_value(read_index());
      at_ = skip_blanks(at_, end_);
      if (at_ == end_) source_.fail(open, "this row is not closed by '}'");
      if (*at_ == ',') {
        ++at_;
      } else if (*at_ != '}') {
        source_.fail(at_,
                     fmt::format("{} after a value, expected ',' or '}}'", shown(rest_of_line())));
      }
    }
    ++at_;
    check_nothing_follows();
    table_->end_sparse_row();
  }

  /// Reads the attribute index of an entry and moves to its value.
  std::size_t read_index() {
    const char* start = at_;
    Index index = 0;
    at_ = scan_column(at_, end_, index);
    if (at_ == start || at_ == end_ || !is_blank(*at_)) fail_index(start);
    if (as_size(index) >= table_->width()) {
      source_.fail(start, fmt::format("index {} is beyond the last attribute; the {} attributes "
                                      "count from 0 to {}",
                                      index, table_->width(), table_->width() - 1));
    }
    at_ = skip_blanks(at_, end_);
    entry_ = start;
    return as_size(index);
  }

  void read_sparse_value(std::size_t attribute) {
    if (at_ == end_ || *at_ == ',' || *at_ == '}') source_.fail(at_, "an index without a value");
    const int digit = lone_digit();
    if (digit >= 0 && table_->add_sparse_digit(attribute, digit, entry_)) {
      ++at_;
    } else if (const auto value = number_of(attribute)) {
      table_->add_sparse_number(attribute, *value, entry_);
    } else {
      table_->add_sparse(attribute, cell(",}"), entry_);
    }
  }

  std::string_view rest_of_line() const { return {at_, as_size(end_ - at_)}; }

  void check_nothing_follows() {
    at_ = skip_blanks(at_, end_);
    if (at_ == end_) return;
    const char* next = *at_ == ',' ? skip_blanks(at_ + 1, end_) : at_;
    if (next != end_ && *next == '{') fail_weights();
    source_.fail(at_, fmt::format("{} after the row's '}}'", shown(rest_of_line())));
  }

  [[noreturn]] void fail_weights() const {
    source_.fail(at_, "'{' after the row's values: instance weights are not supported");
  }

  [[noreturn]] void fail_index(const char* start) {
    at_ = start;
    const auto token = read_token(source_, at_, end_, ",}", scratch_);
    source_.fail(start,
                 fmt::format("{} is not an index, expected 'index value' with the attributes "
                             "counted from 0",
                             shown(token.text)));
  }

  [[noreturn]] void fail_width(const char* row) {
    at_ = row;
    std::size_t values = 0;
    for (;; ++values) {
      cell(",");
      at_ = skip_blanks(at_, end_);
      if (at_ == end_) break;
      if (*at_ == ',') at_ = skip_blanks(at_ + 1, end_);
    }
    source_.fail(row, fmt::format("this row has {} values, expected {}, one per attribute",
                                  values + 1, table_->width()));
  }

  const SourceText& source_;
  LineReader lines_;
  TableBuilder* table_ = nullptr;
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  const char* entry_ = nullptr;  ///< start of the current entry of a sparse row
  std::string scratch_;
  bool reads_all_ = false;
  bool seen_sparse_ = false;
};

constexpr std::string_view kEndings[] = {".arff"};

bool starts_with_keyword(const SourceText&, std::string_view first) {
  const auto word = first.substr(0, first.find_first_of(" \t"));
  return same_word(word, "@relation") || same_word(word, "@attribute") || same_word(word, "@data");
}

std::vector<std::filesystem::path> with_label_file(const std::filesystem::path& path) {
  return {path, label_file_of(path)};
}

std::unique_ptr<RowSource> open_arff(const SourceText& source, const std::filesystem::path& path,
                                     const ReadOptions& options) {
  auto [header, data] = read_arff_header(source);
  return table_rows(source, find_columns(std::move(header), path, Format::arff, options), options,
                    std::make_unique<ArffRows>(source, data));
}

}  // namespace

const FormatKind& arff_format() {
  static const FormatKind kind = {.info = {.format = Format::arff,
                                           .name = "arff",
                                           .title = "ARFF",
                                           .endings = kEndings,
                                           .has_names = true,
                                           .has_label_file = true},
                                  .matches = starts_with_keyword,
                                  .open = open_arff,
                                  .write = write_arff,
                                  .files = with_label_file};
  return kind;
}

}  // namespace mugrad::formats

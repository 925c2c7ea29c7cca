// SPDX-License-Identifier: MIT
// A table in memory is the same data set as the same table in a file.
#include "support/data_files.h"
#include "support/random_texts.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <deque>
#include <random>
#include <regex>

namespace mugrad {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const double kMissing = std::nan("");

/// A text without control characters, which files may not have.
std::string printable(std::string text) {
  std::erase_if(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
  return text;
}

std::string json_string(std::string_view text) {
  std::string json = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') json += '\\';
    json += c;
  }
  return json + '"';
}

std::string csv_string(std::string_view text) {
  return fmt::format("\"{}\"", std::regex_replace(std::string(text), std::regex("\""), "\"\""));
}

/// A table in memory, and the same as the content of files.
class RandomTable {
 public:
  RandomTable(std::uint64_t seed, bool has_lists) : random_(seed), has_lists_(has_lists) {
    rows_ = 3 + static_cast<Index>(random_() % 60);
    texts_ = testing::random_texts(as_size(rows_), seed);
    const int columns = 1 + static_cast<int>(random_() % 6);
    for (int i = 0; i < columns; ++i) add_column(fmt::format("c{}", i));
    add_tags();
  }

  std::span<const TableColumn> columns() const { return columns_; }

  std::string csv() const {
    std::string content;
    for (const auto& column : columns_) {
      content += (content.empty() ? "" : ",") + csv_string(column.name);
    }
    for (Index row = 0; row < rows_; ++row) {
      content += '\n';
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        content += (i == 0 ? "" : ",") + csv_of(cell(i, row));
      }
    }
    return content + "\n";
  }

  std::string jsonl() const {
    std::string content;
    for (Index row = 0; row < rows_; ++row) {
      content += '{';
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        content += fmt::format("{}{}:{}", i == 0 ? "" : ",", json_string(columns_[i].name),
                               json_of(cell(i, row)));
      }
      content += "}\n";
    }
    return content;
  }

 private:
  TableCell cell(std::size_t column, Index row) const {
    const auto& values = columns_[column].values;
    if (const auto* const numbers = std::get_if<std::span<const double>>(&values)) {
      return (*numbers)[as_size(row)];
    }
    return std::get<std::span<const TableCell>>(values)[as_size(row)];
  }

  static bool is_missing(const TableCell& cell) {
    const auto* const number = std::get_if<double>(&cell);
    return cell.index() == 0 || (number != nullptr && std::isnan(*number));
  }

  static std::string csv_of(const TableCell& cell) {
    if (is_missing(cell)) return "\"\"";
    if (const auto* const number = std::get_if<double>(&cell)) return fmt::format("{}", *number);
    return csv_string(std::get<std::string_view>(cell));
  }

  static std::string json_of(const TableCell& cell) {
    if (is_missing(cell)) return "null";
    if (const auto* const number = std::get_if<double>(&cell)) return fmt::format("{}", *number);
    if (const auto* const text = std::get_if<std::string_view>(&cell)) return json_string(*text);
    std::string json;
    for (const auto text : std::get<std::span<const std::string_view>>(cell)) {
      json += (json.empty() ? "" : ",") + json_string(text);
    }
    return "[" + json + "]";
  }

  double random_number() {
    const double number = std::ldexp(static_cast<double>(random_() % 4096) - 2048,
                                     static_cast<int>(random_() % 24) - 12);
    return random_() % 2 == 0 ? std::round(number) : number / 3;
  }

  std::string_view keep(std::string text) { return kept_.emplace_back(std::move(text)); }

  /// A cell of a kind of column; one in `one_in` is missing, and one in 40 is of another kind.
  TableCell random_cell(std::size_t kind, Index row, std::uint64_t one_in) {
    if (random_() % one_in == 0) return {};
    if (random_() % 40 == 0) kind = random_() % 7;
    switch (kind) {
      case 0:
        return random_number();
      case 1:
        return keep(fmt::format("plan {}", random_() % 4));
      case 2:
        return keep(printable(texts_[as_size(row)]) + " the same words");
      case 3:
        return keep(fmt::format("20{:02}-{:02}-{:02}T{:02}:30", random_() % 100, 1 + random_() % 12,
                                1 + random_() % 28, random_() % 24));
      case 4:
        return keep(fmt::format("T-{}", row));
      case 5:
        return keep(random_() % 2 == 0 ? "true" : "false");
      default:
        return keep(random_() % 2 == 0 ? "NA" : printable(texts_[as_size(row)]));
    }
  }

  void add_column(const std::string& name) {
    const auto kind = random_() % 8;
    const auto one_in = std::uint64_t{2} << (random_() % 8);
    if (kind == 7) {
      auto& numbers = numbers_.emplace_back();
      for (Index row = 0; row < rows_; ++row) {
        numbers.push_back(random_() % one_in == 0 ? kMissing : random_number());
      }
      columns_.push_back({name, std::span<const double>(numbers)});
      return;
    }
    auto& cells = cells_.emplace_back();
    for (Index row = 0; row < rows_; ++row) cells.push_back(random_cell(kind, row, one_in));
    columns_.push_back({name, std::span<const TableCell>(cells)});
  }

  void add_tags() {
    auto& cells = cells_.emplace_back();
    for (Index row = 0; row < rows_; ++row) {
      auto& list = lists_.emplace_back();
      for (auto count = random_() % 4; count > 0; --count) {
        list.push_back(keep(fmt::format("tag \"{}\"", random_() % 5)));
      }
      if (has_lists_) {
        cells.emplace_back(std::span<const std::string_view>(list));
      } else {
        cells.emplace_back(keep(fmt::format("{}", fmt::join(list, ";"))));
      }
    }
    columns_.push_back({"topics", std::span<const TableCell>(cells)});
  }

  std::mt19937_64 random_;
  bool has_lists_;
  Index rows_ = 0;
  std::vector<std::string> texts_;
  std::deque<std::string> kept_;
  std::deque<std::vector<std::string_view>> lists_;
  std::deque<std::vector<TableCell>> cells_;
  std::deque<std::vector<double>> numbers_;
  std::vector<TableColumn> columns_;
};

std::vector<std::pair<FeatureId, std::uint64_t>> bits_of(const Features& x, Index row) {
  std::vector<std::pair<FeatureId, std::uint64_t>> bits;
  x.for_each_in_row(row, [&](FeatureId column, double value) {
    bits.emplace_back(column, std::bit_cast<std::uint64_t>(value));
  });
  return bits;
}

void expect_same(const Dataset& found, const Dataset& expected) {
  EXPECT_EQ(found.x.is_sparse(), expected.x.is_sparse());
  ASSERT_EQ(found.rows(), expected.rows());
  EXPECT_EQ(found.features(), expected.features());
  for (Index row = 0; row < found.rows(); ++row) {
    ASSERT_EQ(bits_of(found.x, row), bits_of(expected.x, row)) << "row " << row;
  }
  EXPECT_EQ(found.y, expected.y);
  EXPECT_EQ(found.unknown, expected.unknown);
  EXPECT_EQ(found.feature_names, expected.feature_names);
  EXPECT_EQ(found.label_names, expected.label_names);
  EXPECT_EQ(found.term_blocks, expected.term_blocks);
  EXPECT_EQ(found.labels_from, expected.labels_from);
  EXPECT_EQ(found.encoding, expected.encoding);
  EXPECT_EQ(found.row_names, expected.row_names);
}

/// Notes with the same words for rows and lines.
std::vector<std::string> without_places(std::vector<std::string> notes) {
  for (auto& note : notes) {
    note = std::regex_replace(note, std::regex("on line [0-9]+|in row [0-9]+"), "there");
    note = std::regex_replace(note, std::regex("a\\.(csv|jsonl)"), "a");
  }
  return notes;
}

class MemoryTable : public ::testing::Test {
 protected:
  Dataset read(std::span<const TableColumn> columns, ReadOptions options = {}) {
    options.note = [this](const std::string& note) { notes.push_back(note); };
    return read_table(columns, options, "a");
  }
  std::string error(std::span<const TableColumn> columns, ReadOptions options = {}) {
    options.labels_optional = true;
    return files.error_of([&] { read_table(columns, options); });
  }

  testing::DataFiles files;
  std::vector<std::string> notes;
};

TEST_F(MemoryTable, IsTheDataSetThatFilesAre) {
  constexpr Missing kHow[] = {Missing::median, Missing::mean, Missing::keep};
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const bool has_lists = seed % 3 == 0;
    const RandomTable table(seed, has_lists);
    ReadOptions options{.tags = "topics",
                        .min_count = 1 + static_cast<Index>(seed % 2),
                        .missing = kHow[seed % 3],
                        .keep_row_names = true};
    if (seed % 5 == 0) {
      constexpr ColumnRole kRoles[] = {ColumnRole::number, ColumnRole::category, ColumnRole::text,
                                       ColumnRole::date, ColumnRole::identifier};
      options.roles = {{.columns = "c0", .role = kRoles[seed / 5 % 5]}};
    }
    const Dataset found = read(table.columns(), options);
    files.notes.clear();
    const Dataset lines = files.read("a.jsonl", table.jsonl(), options);
    expect_same(found, lines);
    EXPECT_EQ(without_places(notes), without_places(files.notes));
    if (!has_lists) {
      options.delimiter = ',';
      expect_same(found, files.read("a.csv", table.csv(), options));
    }
    notes.clear();
  }
}

TEST_F(MemoryTable, IsEncodedLikeAnotherAsFilesAre) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const RandomTable table(seed, true);
    const Dataset learned = read(table.columns(), {.tags = "topics"});
    const ReadOptions options{.labels_optional = true,
                              .fallback_labels = learned.label_names,
                              .encode_like = learned.feature_names,
                              .encoding = learned.encoding};
    // Half of the rows have other values, and others are missing.
    const auto rows = as_size((learned.rows() + 1) / 2);
    std::vector<TableColumn> some(table.columns().begin(), table.columns().end());
    for (auto& column : some) {
      std::visit([&](auto& values) { values = values.first(rows); }, column.values);
    }
    const std::string lines = table.jsonl();
    std::size_t end = 0;
    for (std::size_t row = 0; row < rows; ++row) end = lines.find('\n', end) + 1;
    expect_same(read(some, options), files.read("a.jsonl", lines.substr(0, end), options));
  }
}

TEST_F(MemoryTable, HasNumbersAsTextsWhereAColumnHasNoNumbers) {
  const std::vector<double> zip = {8000, 3000.5, 8000};
  const TableColumn columns[] = {{.name = "zip", .values = std::span<const double>(zip)}};
  const auto data = read(columns, {.labels_optional = true,
                                   .roles = {{.columns = "zip", .role = ColumnRole::category}}});
  EXPECT_THAT(data.feature_names, ElementsAre("zip=3000.5", "zip=8000"));
}

TEST_F(MemoryTable, ErrorsNameRowAndColumn) {
  const std::vector<double> ages = {31, kMissing, 7};
  const std::vector<TableCell> states = {std::string_view("yes"), std::string_view("maybe"), {}};
  const std::vector<TableCell> lists = {std::string_view("[\"a\"]"), std::string_view("[1"), {}};
  const TableColumn columns[] = {{.name = "age", .values = std::span<const double>(ages)},
                                 {.name = "is open", .values = std::span(states)},
                                 {.name = "topics", .values = std::span(lists)}};
  EXPECT_EQ(error(columns, {.drop = {"is open", "topics"}, .missing = Missing::refuse}),
            "the table: row 2, column 'age': the value of attribute 'age' is missing; "
            "ReadOptions::missing = median replaces it by the median of the others");
  EXPECT_EQ(error(columns, {.label_columns = {"is open"}, .drop = {"topics"}}),
            "the table: row 2, column 'is open': 'maybe' is not a value of label 'is open', "
            "expected 0 or 1, NO or YES, FALSE or TRUE");
  EXPECT_THAT(error(columns, {.tags = "topics", .tag_separator = ""}),
              HasSubstr("the table: row 2, column 'topics': '[1' is not a JSON array of tags"));
  EXPECT_EQ(error(columns, {.drop = {"plan"}}),
            "ReadOptions::drop names 'plan', which no attribute of the table has");
}

TEST_F(MemoryTable, NotesNameRows) {
  std::vector<TableCell> cells(20, 1.5);
  cells[6] = std::string_view("unwell");
  const TableColumn columns[] = {{.name = "age", .values = std::span<const TableCell>(cells)}};
  read(columns, {.labels_optional = true});
  EXPECT_THAT(notes, ElementsAre("1 cell of column 'age' is no number, such as 'unwell' in row 7: "
                                 "counted as missing"));
}

TEST_F(MemoryTable, InfiniteNumbersCountAsMissing) {
  std::vector<double> numbers(20, 1.5);
  numbers[3] = HUGE_VAL;
  const TableColumn columns[] = {{.name = "x", .values = std::span<const double>(numbers)}};
  const auto data = read(columns, {.labels_optional = true});
  EXPECT_EQ(testing::entry(data.x, 3, 0), 1.5);
  EXPECT_THAT(notes, ElementsAre(HasSubstr("such as 'inf' in row 4")));
}

TEST_F(MemoryTable, OfAnOddShapeIsRefused) {
  const std::vector<double> two = {1, 2};
  const std::vector<double> three = {1, 2, 3};
  const TableColumn a{.name = "a", .values = std::span<const double>(two)};
  const TableColumn b{.name = "b", .values = std::span<const double>(three)};
  const TableColumn unnamed{.name = "", .values = std::span<const double>(two)};
  const TableColumn empty{.name = "a", .values = std::span<const double>()};
  const auto error_of = [&](std::vector<TableColumn> columns) { return error(columns); };
  EXPECT_EQ(error_of({}), "the table: there are no columns");
  EXPECT_EQ(error_of({empty}), "the table: there are no rows");
  EXPECT_EQ(error_of({a, b}), "the table: column 'a' has 2 rows, and column 'b' has 3");
  EXPECT_EQ(error_of({a, a}), "the table: columns 1 and 2 are both called 'a'");
  EXPECT_EQ(error_of({a, unnamed}), "the table: column 2 has no name");
}

TEST_F(MemoryTable, ReadingCanBeInterrupted) {
  const std::vector<double> numbers(10000, 1.5);
  const TableColumn columns[] = {{.name = "x", .values = std::span<const double>(numbers)}};
  double last = 0;
  ProgressFunction stop([&](double share) {
    EXPECT_GE(share, last);
    last = share;
    return share < 0.5;
  });
  EXPECT_THROW(read(columns, {.labels_optional = true, .progress = &stop}), InterruptedError);
}

}  // namespace
}  // namespace mugrad

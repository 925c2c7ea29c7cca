// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad::formats {

/// One value of a row, as written in the file.
struct Cell {
  std::string_view text;
  const char* at = nullptr;
  bool missing = false;
  bool lasts = false;  ///< the text outlives the reading of its table, and need not be copied
};

/// Counts distinct texts by their hashes, up to a limit.
class DistinctTexts {
 public:
  static constexpr std::size_t kMost = 1 << 16;

  void add(std::string_view text);
  /// kMost stands for so many or more.
  Index count() const noexcept { return as_index(count_); }

 private:
  std::vector<std::uint64_t> slots_;  ///< 0: free
  std::size_t count_ = 0;
};

/// What the cells of a column look like.
struct CellFacts {
  Index missing = 0;
  Index numbers = 0;
  Index dates = 0;
  Index texts = 0;              ///< neither numbers nor dates
  Index truths = 0;             ///< words such as yes and FALSE, and 0 and 1 if numbers are values
  Index words = 0, bytes = 0;   ///< of all cells that are not missing
  DistinctTexts distinct = {};  ///< of texts and dates, and of numbers if they are values
  /// Texts that look like numbers, or dates, in a form that is not read.
  Index unread_numbers = 0, unread_dates = 0;
  std::string first_unread = {};  ///< of these
  std::string first_text = {};    ///< and its position
  const char* first_text_at = nullptr;

  Index present() const noexcept { return numbers + dates + texts; }
};

/// What lies between tags, if these columns have any.
struct SeparatorFacts {
  static constexpr std::array<char, 3> kCharacters = {';', '|', ','};

  std::array<Index, kCharacters.size()> cells_with = {};  ///< cells that have the character
  Index arrays = 0;                                       ///< cells between '[' and ']'
  DistinctTexts cells = {}, words = {};
};

class KnownTags;

/// Looks at every cell of the columns whose types are open, before rows are read.
class ColumnSurvey {
 public:
  /// `is_open` has one entry per column, and so has `has_tags`. Counting numbers as values takes
  /// memory for each of them, so it is for columns that are not numeric.
  ColumnSurvey(std::vector<bool> is_open, const std::vector<bool>& has_tags,
               bool numbers_are_values = false);

  /// Counts tags of a model instead of separators. Requires: `known` outlives this.
  void count_known_tags(KnownTags& known) noexcept { known_tags_ = &known; }

  void add(std::size_t column, const Cell& cell) {
    if (keeps_row()) keep(column, cell.text);
    if (is_open_[column]) look_at(column, cell);
  }
  void end_row() noexcept { ++rows_; }
  /// Whether the next row is one of first_rows(), and needs a cell for every column.
  bool keeps_row() const noexcept { return rows_ < kFirstRows; }
  /// In so many rows the column had no cell to add.
  void add_missing(std::size_t column, Index rows) {
    if (is_open_[column]) facts_[column].missing += rows;
  }

  std::size_t columns() const noexcept { return is_open_.size(); }
  Index rows() const noexcept { return rows_; }
  const CellFacts& facts(std::size_t column) const noexcept { return facts_[column]; }
  /// Replaces the facts of a column by those of another survey of the same rows.
  void take_facts(std::size_t column, const ColumnSurvey& from) {
    facts_[column] = from.facts_[column];
  }
  const SeparatorFacts& separators() const noexcept { return separators_; }
  /// The cells of the first rows, cut if they are long.
  const std::vector<std::vector<std::string>>& first_rows() const noexcept { return first_rows_; }

 private:
  static constexpr Index kFirstRows = 3;
  static constexpr std::size_t kLongestCell = 60;

  void look_at(std::size_t column, const Cell& cell);
  void keep(std::size_t column, std::string_view text);
  void look_for_separators(std::string_view text);

  std::vector<bool> is_open_;
  std::vector<CellFacts> facts_;  ///< one per column
  std::size_t tags_;              ///< the column of tags
  bool numbers_are_values_;
  KnownTags* known_tags_ = nullptr;
  SeparatorFacts separators_;
  std::vector<std::vector<std::string>> first_rows_;
  Index rows_ = 0;
};

}  // namespace mugrad::formats

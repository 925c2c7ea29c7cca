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
  Index truths = 0;             ///< of the texts: words such as yes and FALSE
  Index words = 0, bytes = 0;   ///< of texts and dates
  DistinctTexts distinct = {};  ///< of texts and dates
  std::string first_text = {};  ///< and its position
  const char* first_text_at = nullptr;

  Index present() const noexcept { return numbers + dates + texts; }
};

/// What lies between tags, if these columns have any.
struct SeparatorFacts {
  static constexpr std::array<char, 3> kCharacters = {';', '|', ','};

  std::array<Index, kCharacters.size()> cells_with = {};  ///< cells that have the character
  Index arrays = 0;                                       ///< cells that start with '['
  DistinctTexts cells = {}, words = {};
};

/// Looks at every cell of the columns whose types are open, before rows are read.
class ColumnSurvey {
 public:
  /// `is_open` has one entry per column, and so has `has_tags`.
  ColumnSurvey(std::vector<bool> is_open, const std::vector<bool>& has_tags);

  void add(std::size_t column, const Cell& cell) {
    if (rows_ < kFirstRows) keep(column, cell.text);
    if (is_open_[column]) look_at(column, cell);
  }
  void end_row() noexcept { ++rows_; }

  std::size_t columns() const noexcept { return is_open_.size(); }
  Index rows() const noexcept { return rows_; }
  const CellFacts& facts(std::size_t column) const noexcept { return facts_[column]; }
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
  SeparatorFacts separators_;
  std::vector<std::vector<std::string>> first_rows_;
  Index rows_ = 0;
};

}  // namespace mugrad::formats

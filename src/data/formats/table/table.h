// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/rows_memory.h"
#include "data/formats/source_text.h"
#include "data/formats/sparse_row.h"
#include "data/formats/table/known_names.h"
#include "data/formats/table/label_search.h"
#include "data/formats/table/raw_features.h"
#include "data/formats/table/tags.h"
#include "data/formats/table/text_cells.h"
#include "data/formats/table/value_codes.h"

#include <mugrad/data/files.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mugrad::formats {

/// Rows of a table before encoding.
struct TableBlock {
  RawFeatures raw;
  std::vector<TextCells> texts;  ///< of columns of words, in the order of their positions in `raw`
  BinaryMatrix labels;           ///< codes of tags, if there are tags
  BinaryMatrix unknown;          ///< labels with missing values
  std::vector<std::string> row_names;
};

/// The memory of rows that are being read.
struct HeldRows {
  const RawFeatures& raw;
  const std::vector<TextCells>& texts;
  const BinaryMatrix& labels;
  const std::vector<std::string>& row_names;

  double bytes() const noexcept {
    double sum =
        raw.bytes() + bytes_of(labels.row_start) + bytes_of(labels.column) + bytes_of(row_names);
    for (const TextCells& cells : texts) sum += cells.bytes();
    return sum;
  }
  double bytes_to_grow() const noexcept {
    double sum = raw.bytes_to_grow() + mugrad::bytes_to_grow(labels.row_start) +
                 mugrad::bytes_to_grow(labels.column) + mugrad::bytes_to_grow(row_names);
    for (const TextCells& cells : texts) sum += cells.bytes_to_grow();
    return sum;
  }
};

/// Collects the rows of a table: formats differ only in their syntax.
class TableBuilder {
 public:
  /// Requires: no type is open; source, columns and options outlive this. Throws InputError for an
  /// attribute of an unsuitable type.
  TableBuilder(const SourceText& source, const TableColumns& columns, const ReadOptions& options);

  std::size_t width() const noexcept { return slots_.size(); }

  /// Whether values of the attribute matter; rows need none of one that is left out.
  bool uses(std::size_t attribute) const noexcept {
    return slots_[attribute].role != Role::left_out;
  }
  /// Reserves memory for so many dense rows.
  void expect_rows(Index count) { raw_.expect_rows(count); }

  /// A row with a value for every attribute: one call each, ascending, then end_row.
  void add(std::size_t attribute, const Cell& cell) {
    put(slots_[attribute], value_of(attribute, cell));
  }
  /// Whether add_number may be called for this attribute: it accepts any finite number unchanged.
  bool takes_numbers(std::size_t attribute) const noexcept {
    return slots_[attribute].largest_digit == 9;
  }
  void add_number(std::size_t attribute, double value) { put(slots_[attribute], value); }
  /// For a value of one digit; returns false if the digit alone does not determine the value.
  bool add_digit(std::size_t attribute, int digit) {
    if (digit > slots_[attribute].largest_digit) return false;
    put(slots_[attribute], digit);
    return true;
  }
  void end_row();

  /// A row in which every attribute that is not mentioned is 0 or has its first value: any calls of
  /// add_sparse, then end_sparse_row. `at` is the start of the entry.
  void add_sparse(std::size_t attribute, const Cell& cell, const char* at) {
    sparse_row_.add(as_index(attribute), value_of(attribute, cell), at);
  }
  void add_sparse_number(std::size_t attribute, double value, const char* at) {
    sparse_row_.add(as_index(attribute), value, at);
  }
  bool add_sparse_digit(std::size_t attribute, int digit, const char* at) {
    if (digit > slots_[attribute].largest_digit) return false;
    sparse_row_.add(as_index(attribute), digit, at);
    return true;
  }
  void end_sparse_row();
  /// Reserves memory for the entries of later sparse rows, if their number is known.
  void expect_entries(Index count) { raw_.expect_entries(count); }

  /// Rows since the last take().
  Index rows() const noexcept { return raw_.rows(); }
  /// These rows. Codes of nominals are the same in all blocks.
  TableBlock take();
  /// Stores the features of all later rows sparse, as after a sparse row.
  void make_sparse() { raw_.start_sparse_row(); }

  /// One per feature position.
  std::vector<FeatureColumn> columns() const;
  const std::vector<std::string>& label_names() const noexcept { return label_names_; }
  /// The tags of the rows, if a column has tags.
  const TagReader* tags() const noexcept { return tags_ ? &*tags_ : nullptr; }
  /// Whether a text of the rows so far was not UTF-8, and was converted from Latin-1.
  bool has_latin1() const noexcept { return has_latin1_; }
  /// Notes, once per column, cells that count as missing because they are no numbers or dates; with
  /// their number, if these were all rows.
  void tell_odd_cells(bool has_all_rows);
  /// Forgets those that were not noted yet: their rows will be read again.
  void forget_odd_cells();

 private:
  enum class Role : std::uint8_t { feature, text, label, tags, name, left_out };
  /// Cells of a column that are not of its type.
  struct OddCells {
    Index count = 0;
    std::string first;
    std::string place;
    bool is_told = false;
  };
  struct Slot {
    Role role = Role::left_out;
    std::int8_t largest_digit = -1;  ///< up to this, digits equal the result of value_of
    bool takes_truths = false;       ///< a category that the model has as one column
    std::int32_t position = 0;       ///< among the features, the texts or the labels
  };

  void make_feature(std::size_t attribute);
  void make_category(std::size_t attribute);
  void make_tags(std::size_t attribute, const TableColumns& columns);
  void make_label(std::size_t attribute);
  /// The number or code of a feature, or 1 or 0 of a label; NaN if missing.
  double value_of(std::size_t attribute, const Cell& cell);
  double feature_value(std::size_t attribute, const Cell& cell);
  double number(std::size_t attribute, const Cell& cell);
  double date(std::size_t attribute, const Cell& cell);
  /// Counts a cell that is not of its column's type as missing, or refuses it.
  double odd_cell(std::size_t attribute, const Cell& cell);
  void add_text(TextCells& cells, const Cell& cell);
  void add_tags(std::size_t attribute, const Cell& cell);
  std::int32_t known_code(std::size_t attribute, std::string_view text);
  double category_code(std::size_t attribute, const Cell& cell);
  double nominal_code(std::size_t attribute, const Cell& cell);
  double label_value(std::size_t attribute, const Cell& cell);
  double missing_value(std::size_t attribute, const Cell& cell) const;
  void put(const Slot& slot, double value);
  void put_label(std::int32_t position, double value);
  void end_labels();
  void add_unmentioned_labels();

  const SourceText& source_;
  const TableHeader& header_;
  const ReadOptions& options_;
  KnownNames known_;
  std::vector<Slot> slots_;              ///< one per attribute
  std::vector<ValueCodes> codes_;        ///< one per attribute: the values of nominals and texts
  std::vector<std::size_t> most_texts_;  ///< one per attribute: maximum number of coded values
  std::vector<OddCells> odd_;            ///< one per attribute
  std::vector<std::size_t> features_;    ///< the attribute of each feature position
  std::vector<TextCells> texts_;         ///< one per column of words
  std::optional<TagReader> tags_;
  bool has_row_names_ = false;
  std::vector<std::string> row_names_;
  RowsMemory memory_{source_};
  std::vector<std::string> label_names_;
  /// Labels that are positive in sparse rows if omitted.
  std::vector<LabelId> positive_unmentioned_;
  std::vector<LabelId> mentioned_;  ///< labels in the current sparse row
  std::vector<double> row_;         ///< features of the current dense row
  bool has_latin1_ = false;
  SparseRow sparse_row_;
  RawFeatures raw_;
  BinaryMatrix labels_;
  BinaryMatrix unknown_;
};

}  // namespace mugrad::formats

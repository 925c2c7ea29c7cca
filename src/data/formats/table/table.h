// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/source_text.h"
#include "data/formats/sparse_row.h"
#include "data/formats/table/attribute.h"
#include "data/formats/table/known_names.h"
#include "data/formats/table/raw_features.h"
#include "data/formats/table/value_codes.h"
#include "data/formats/table/value_survey.h"

#include <mugrad/data/files.h>

#include <cstdint>
#include <string>
#include <vector>

namespace mugrad::formats {

/// One value of a row as it stands in the file.
struct Cell {
  std::string_view text;
  const char* at = nullptr;
  bool missing = false;
};

/// Rows of a table before nominals become columns.
struct TableBlock {
  RawFeatures raw;
  BinaryMatrix labels;
  BinaryMatrix unknown;  ///< labels whose value is missing
};

/// Takes the rows of a table whose columns are numbers, nominals or texts: ARFF and CSV differ
/// only in how they spell them.
class TableBuilder {
 public:
  /// Requires: `labels` and `dropped` have an entry per attribute; source, header and options
  /// outlive this. Throws InputError for an attribute that cannot be what it must be.
  TableBuilder(const SourceText& source, const TableHeader& header, const std::vector<bool>& labels,
               const std::vector<bool>& dropped, const ReadOptions& options);

  std::size_t width() const noexcept { return slots_.size(); }

  /// A row with a value for every attribute: one call each, ascending, then end_row.
  void add(std::size_t attribute, const Cell& cell) {
    put(slots_[attribute], value_of(attribute, cell));
  }
  /// Whether add_number may be called for this attribute: it takes any finite number as it is.
  bool takes_numbers(std::size_t attribute) const noexcept {
    return slots_[attribute].largest_digit == 9;
  }
  void add_number(std::size_t attribute, double value) { put(slots_[attribute], value); }
  /// For a value of one digit; false when the digit alone does not tell the value.
  bool add_digit(std::size_t attribute, int digit) {
    if (digit > slots_[attribute].largest_digit) return false;
    put(slots_[attribute], digit);
    return true;
  }
  void end_row();

  /// A row in which every attribute not mentioned is 0 or has its first value: any calls of
  /// add_sparse, then end_sparse_row. `at` is where the entry starts.
  void add_sparse(std::size_t attribute, const Cell& cell, const char* at) {
    sparse_row_.add(static_cast<Index>(attribute), value_of(attribute, cell), at);
  }
  void add_sparse_number(std::size_t attribute, double value, const char* at) {
    sparse_row_.add(static_cast<Index>(attribute), value, at);
  }
  bool add_sparse_digit(std::size_t attribute, int digit, const char* at) {
    if (digit > slots_[attribute].largest_digit) return false;
    sparse_row_.add(static_cast<Index>(attribute), digit, at);
    return true;
  }
  void end_sparse_row();
  /// Makes room for the entries of sparse rows to come, when their number is known.
  void expect_entries(Index count) { raw_.expect_entries(count); }

  /// Rows since take() was called.
  Index rows() const noexcept { return raw_.rows(); }
  /// Those rows. Codes of nominals mean the same in all blocks.
  TableBlock take();
  /// Has the features of all rows from here on sparse, as a sparse row does.
  void make_sparse() { raw_.start_sparse_row(); }

  /// One per position of the features.
  std::vector<FeatureColumn> columns() const;
  const std::vector<std::string>& label_names() const noexcept { return label_names_; }
  /// Whether a text of the rows so far was not UTF-8, and was taken for Latin-1.
  bool has_latin1() const noexcept { return has_latin1_; }

 private:
  enum class Role : std::uint8_t { feature, label, left_out };
  struct Slot {
    Role role = Role::left_out;
    std::int8_t largest_digit = -1;  ///< digits up to this one are what value_of would return
    std::int32_t position = 0;       ///< among the features or the labels
  };

  void make_feature(std::size_t attribute);
  void make_text(std::size_t attribute);
  void make_label(std::size_t attribute);
  /// A feature's number or code, or 1 or 0 of a label; NaN when missing.
  double value_of(std::size_t attribute, const Cell& cell);
  double number(const Attribute& attribute, const Cell& cell) const;
  std::int32_t known_code(std::size_t attribute, std::string_view text);
  double text_code(std::size_t attribute, std::string_view text);
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
  std::vector<std::size_t> most_texts_;  ///< one per attribute: how many values get a code
  std::vector<std::size_t> features_;    ///< the attribute of each feature position
  std::vector<std::string> label_names_;
  std::vector<LabelId> positive_unmentioned_;  ///< labels that sparse rows have by omission
  std::vector<LabelId> mentioned_;             ///< labels that the current sparse row mentions
  std::vector<double> row_;                    ///< features of the current dense row
  bool has_latin1_ = false;
  SparseRow sparse_row_;
  RawFeatures raw_;
  BinaryMatrix labels_;
  BinaryMatrix unknown_;
};

}  // namespace mugrad::formats

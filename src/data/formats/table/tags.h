// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/source_text.h"
#include "data/formats/table/column_survey.h"
#include "data/formats/table/value_codes.h"

#include <mugrad/linalg/sparse_matrix.h>

#include <string>
#include <string_view>
#include <vector>

namespace mugrad::formats {

/// Reads the labels of rows from a column of tags. In a list separated by semicolons, a backslash
/// escapes a semicolon, a backslash, and 0, which is an empty name; so `mugrad predict` writes
/// them.
class TagReader {
 public:
  TagReader() = default;
  /// `separator` is a character, or empty for JSON arrays. With `known` tags, others are ignored;
  /// then lists may also be JSON arrays whatever the separator, and lists without a separator of
  /// their own have the first of ; | and , that occurs: a model is used with data in other files.
  /// Requires: source outlives this.
  TagReader(const SourceText& source, std::string separator, std::vector<std::string> known);

  /// The tags of one row as codes, ascending. Throws InputError for a malformed array. The result
  /// is valid until the next call.
  const std::vector<LabelId>& read(const Cell& cell);

  /// By code: in order of appearance, or as known.
  const std::vector<std::string>& names() const noexcept { return codes_.values(); }
  /// The number of tags that were not known, and the first.
  Index ignored() const noexcept { return ignored_; }
  const std::string& first_ignored() const noexcept { return first_ignored_; }

 private:
  void add(std::string_view tag);
  void read_in_any_form(const Cell& cell);
  void read_list(std::string_view text, char separator);
  void read_array(const Cell& cell);

  const SourceText* source_ = nullptr;
  std::string separator_;
  bool knows_all_ = false;
  ValueCodes codes_;
  std::vector<LabelId> row_;
  std::string unescaped_;
  Index ignored_ = 0;
  std::string first_ignored_;
};

/// Tags as labels: those that occur in `least` rows or more, in the order of their bytes.
struct TagLabels {
  std::vector<std::string> names;
  std::vector<LabelId> label_of;  ///< of each code; -1: too rare
  std::vector<std::string> rare;  ///< tags that were left out, most frequent first
};
TagLabels labels_of_tags(const std::vector<std::string>& tags, const BinaryMatrix& rows,
                         Index least);

/// The rows with these labels instead of codes.
BinaryMatrix with_labels(const BinaryMatrix& codes, const TagLabels& labels);

}  // namespace mugrad::formats

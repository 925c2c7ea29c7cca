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

/// Between two labels in the CSV of `mugrad predict`.
inline constexpr std::string_view kPredictedSeparator = ";";

/// Appends the tags of a list to `tags`, without blanks around them. In a list separated by
/// semicolons, a backslash escapes a semicolon, a backslash, a blank, and 0, which is an empty
/// name; so `mugrad predict` writes them.
void split_tags(std::string_view text, char separator, std::vector<std::string>& tags);

/// Appends the tags of a JSON array; returns why the text is none, or an empty text. An object is
/// the tag that its key `label` has, exactly; so `mugrad predict --json` writes them.
std::string read_tag_array(std::string_view text, std::vector<std::string>& tags);

/// What a column of tags looks like.
struct TagSyntax {
  std::string separator = {};  ///< a character, or empty for JSON arrays
  bool may_be_array = false;   ///< of lists: a cell that is a JSON array is no list
};

/// Finds out in which syntax the tags of a file are known.
class KnownTags {
 public:
  /// Requires: at least one syntax.
  KnownTags(std::vector<std::string> known, std::vector<TagSyntax> candidates);

  /// Looks at a cell that is not missing.
  void add(std::string_view cell);
  Index cells() const noexcept { return cells_; }
  const std::string& first_cell() const noexcept { return first_cell_; }
  /// The syntax in which the most cells have only known tags, of equals the one in which the most
  /// cells have any, then the first.
  const TagSyntax& best() const;
  /// Whether a tag is known in any syntax.
  bool has_known() const noexcept;

 private:
  /// What is known in a syntax.
  struct Known {
    Index whole = 0;  ///< cells, all of whose tags are known
    Index any = 0;    ///< cells, of which some tag is
  };

  ValueCodes known_;
  std::vector<TagSyntax> candidates_;
  std::vector<Known> found_;  ///< one per candidate
  std::vector<std::string> tags_;
  Index cells_ = 0;
  std::string first_cell_;
};

/// Reads the labels of rows from a column of tags.
class TagReader {
 public:
  TagReader() = default;
  /// With `known` tags, others are ignored. Requires: source outlives this.
  TagReader(const SourceText& source, TagSyntax syntax, std::vector<std::string> known);

  /// The tags of one row as codes, ascending. Throws InputError for a malformed array. The result
  /// is valid until the next call.
  const std::vector<LabelId>& read(const Cell& cell);

  /// By code: in order of appearance, or as known.
  const std::vector<std::string>& names() const noexcept { return codes_.values(); }
  /// The number of tags that were not known, and the first.
  Index ignored() const noexcept { return ignored_; }
  const std::string& first_ignored() const noexcept { return first_ignored_; }

 private:
  void add(const std::string& tag);

  const SourceText* source_ = nullptr;
  TagSyntax syntax_;
  bool knows_all_ = false;
  ValueCodes codes_;
  std::vector<LabelId> row_;
  std::vector<std::string> tags_;  ///< of the row
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

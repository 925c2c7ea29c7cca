// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/jsonl/json_columns.h"

#include <string>
#include <vector>

namespace mugrad::formats {

/// Which column a key is. Without a model, a look at all records has found the columns; those of a
/// model are found by their names while records are read, so that one look is enough.
class KeyColumns {
 public:
  /// `column_of` has an entry for each key; those that come later are no columns.
  explicit KeyColumns(std::vector<std::int32_t> column_of) : column_of_(std::move(column_of)) {}
  /// Requires: `keys` and `source` outlive this.
  KeyColumns(const JsonKeys& keys, const SourceText& source, std::vector<std::string> names);

  /// JsonColumns::kNone if it is none. Throws InputError if another key with values is the same
  /// column of the model. Requires: the key has a value.
  std::int32_t of(KeyId key) {
    const auto known = as_size(key) < column_of_.size() ? column_of_[as_size(key)] : kUnknown;
    return known == kUnknown ? find(key) : known;
  }
  /// Throws InputError if a column of the model has values that cannot be in one cell.
  void check_values() const;
  /// Of a model: whether a key so far is one of its columns.
  bool has_any();
  /// The names of all columns so far, in the order of their first occurrence; empty without a
  /// model.
  std::vector<std::string> in_rows() const;

 private:
  static constexpr std::int32_t kUnknown = -2;

  std::int32_t find(KeyId key);

  const JsonKeys* keys_ = nullptr;  ///< null: there is no model
  const SourceText* source_ = nullptr;
  std::vector<std::string> names_;
  TextMap<std::int32_t> column_named_;
  std::vector<KeyId> key_of_;  ///< of each column; JsonKeys::kNone: no record has a value so far
  std::vector<std::int32_t> column_of_;
  std::size_t looked_at_ = 1;  ///< keys, by has_any(); the first is the root
  bool has_any_ = false;
};

}  // namespace mugrad::formats

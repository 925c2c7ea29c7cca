// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/jsonl/json_keys.h"
#include "data/formats/table/attribute.h"
#include "data/formats/table/label_search.h"

#include <mugrad/data/files.h>

#include <cstdint>
#include <vector>

namespace mugrad::formats {

/// The columns of a JSON lines file: the keys with values, and those that are null wherever they
/// occur, in the order of their first occurrence.
struct JsonColumns {
  static constexpr std::int32_t kNone = -1;

  std::vector<Attribute> attributes;
  std::vector<std::size_t> keys;        ///< of each column
  std::vector<Index> values;            ///< of each column: how many records have one
  std::vector<std::int32_t> column_of;  ///< of each key; kNone: it has only nested objects
};

/// Whether a key with such values is a column, and not only the name of nested objects.
bool is_column(const KeyValues& values) noexcept;

/// The columns of the keys of all records, which were read once. Throws InputError if two keys have
/// the same name, one as a key with a dot and one as a key of a nested object.
JsonColumns columns_of(const JsonKeys& keys, const SourceText& source);

/// Throws the InputError for a list at `at` that cannot be in one cell of the column `name`.
[[noreturn]] void fail_list(const SourceText& source, const char* at, const std::string& name);

/// Drops columns with values that cannot be in one cell, with a note. Throws InputError if such a
/// column is a label, has a role by an option, or is one that a model uses. A list of objects can
/// be one of tags.
void leave_out_nested_values(TableColumns& columns, const JsonKeys& keys, const JsonColumns& found,
                             const SourceText& source, const ReadOptions& options);

/// Without a model, drops the rarest keys, with a note, if the table would otherwise have far more
/// cells than the records have values. Columns that an option names stay.
void leave_out_rare_keys(TableColumns& columns, const JsonColumns& found, Index rows,
                         const ReadOptions& options);

}  // namespace mugrad::formats

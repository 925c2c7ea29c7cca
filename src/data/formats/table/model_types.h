// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/source_text.h"
#include "data/formats/table/label_search.h"

#include <mugrad/data/files.h>

#include <cstdint>
#include <string>
#include <vector>

namespace mugrad::formats {

/// Gives open columns the types that they have in the model; those that the model does not use are
/// left out, with a note. Throws InputError for columns that the model needs and the file lacks.
/// Requires: the options have encode_like or an encoding.
void take_types_of_model(TableColumns& columns, const SourceText& source,
                         const ReadOptions& options);

/// Which columns the model uses; none without a model.
std::vector<bool> used_by_model(const TableColumns& columns, const ReadOptions& options);

/// Whether the columns and encoding of a model are known without a look at the rows, if labels are
/// not read: by its encoding, or because all its features are columns of numbers.
bool needs_no_rows(const ReadOptions& options);

/// The columns that a model needs, with the one that names the rows. Requires: needs_no_rows().
std::vector<std::string> needed_columns(const ReadOptions& options);

/// The columns of the model that the table lacks; none, if it lacks all of them. Requires: the
/// options have encode_like or an encoding.
std::vector<std::string> absent_columns(const TableColumns& columns, const ReadOptions& options);

/// Adds the columns of the model that no record has, with a note; every cell is missing. They are
/// declared at `at`.
void add_absent_columns(TableColumns& columns, const SourceText& source, const char* at,
                        const ReadOptions& options);

/// Notes the columns of the model that no row has, and those that it does not use, of all that rows
/// have; nothing if they have none.
void tell_of_columns(const std::vector<std::string>& in_rows, const SourceText& source,
                     const ReadOptions& options);

/// Whether a column is one of numbers.
enum class NumberColumn : std::uint8_t {
  no,
  open,  ///< its cells decide: are_numbers() of column_types.h
  yes,   ///< or of labels
};
/// By the options and the model, one per column.
std::vector<NumberColumn> number_columns(const TableColumns& columns, const ReadOptions& options);

}  // namespace mugrad::formats

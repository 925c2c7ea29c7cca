// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/source_text.h"
#include "data/formats/table/column_survey.h"
#include "data/formats/table/label_search.h"

#include <mugrad/data/files.h>

#include <vector>

namespace mugrad::formats {

/// The option that gives columns this role. Throws UsageError for a role that cannot be chosen.
Option option_of(ColumnRole role);

/// Gives the columns the types that the options name. Throws InputError for names that no column
/// has, and UsageError for a column with two types.
void apply_chosen_types(TableColumns& columns, const std::filesystem::path& path,
                        const ReadOptions& options);

/// Leaves out columns of declared types that are not read, with a note. A model decides about
/// dates.
void leave_out_unsupported(TableColumns& columns, const ReadOptions& options);

/// Whether so many numbers among the cells that are not missing make a column of numbers.
bool are_numbers(Index numbers, Index present) noexcept;

/// Whether the cells must be surveyed before rows are read.
bool needs_survey(const TableColumns& columns, const ReadOptions& options);

/// Makes columns of open types categories: texts of formats that declare all other types.
void take_for_categories(TableColumns& columns);

/// Which open columns and categories have numbers among their values: these must be surveyed as
/// values before types are guessed.
std::vector<bool> numbers_are_values(const TableColumns& columns, const ColumnSurvey& survey);

/// Guesses open types from the cells. Numbers with few exceptions are numbers, and dates, dates;
/// many different texts of several words are text, and different single words on every row,
/// identifiers; other texts are categories.
void guess_types(TableColumns& columns, const ColumnSurvey& survey, const ReadOptions& options);

/// The types of the columns, for people. Requires: no type is open, and all columns were surveyed.
TableSummary summary_of(const TableColumns& columns, const ColumnSurvey& survey);

/// What separates the tags, by the cells of their column: `;`, `|` or `,`, a blank if words repeat
/// more than cells do, nothing for JSON arrays.
std::string guess_separator(const SeparatorFacts& facts, Index cells);

}  // namespace mugrad::formats

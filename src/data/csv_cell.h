// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace mugrad {

/// The text as one cell of a CSV file, quoted if necessary (RFC 4180), including outer blanks and a
/// leading U+FEFF. `delimiters` are the characters that must not stand outside quotes.
std::string csv_cell(std::string_view text, std::string_view delimiters = ",");

/// The same for tables that people open in a spreadsheet, where a cell that starts with = + - @, a
/// tab or a carriage return is a formula: such a text gets an apostrophe before it unless it is a
/// number. Files that programs read use csv_cell, which changes no text.
std::string spreadsheet_cell(std::string_view text);

}  // namespace mugrad

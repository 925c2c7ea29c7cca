// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace mugrad {

/// The text as one cell of a CSV file, quoted where it must be (RFC 4180), outer blanks and a
/// leading U+FEFF included.
std::string csv_cell(std::string_view text);

/// The same for tables that people open in a spreadsheet, which takes a cell that starts with
/// = + - @, a tab or a carriage return for a formula: such a text that is not a number gets an
/// apostrophe before it. What programs read back is written by csv_cell, which changes no text.
std::string spreadsheet_cell(std::string_view text);

}  // namespace mugrad

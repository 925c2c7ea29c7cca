// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace mugrad {

/// The text as one cell of a CSV file, quoted where it must be (RFC 4180), outer blanks included.
std::string csv_cell(std::string_view text);

}  // namespace mugrad

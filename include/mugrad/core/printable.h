// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace mugrad {

/// A name from a file as a terminal may show it, on one line: control characters, which could move
/// the cursor or change what was printed before, line and paragraph separators, and marks that
/// turn the direction of writing become \x1b or \u202e; bytes that are not UTF-8 become \xff.
std::string printable(std::string_view text);

/// The same for a message of several lines, whose line feeds stay.
std::string printable_lines(std::string_view text);

}  // namespace mugrad

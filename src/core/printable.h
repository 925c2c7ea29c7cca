// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace mugrad {

/// Makes a name from a file safe to print on one line of a terminal. Control characters (which
/// could move the cursor or overwrite text), line and paragraph separators and bidirectional marks
/// become \x1b or \u202e; bytes that are not UTF-8 become \xff.
std::string printable(std::string_view text);

/// The same for a message of several lines; line feeds are kept.
std::string printable_lines(std::string_view text);

/// Names for a message: 'a', 'b', 'c' and 4 more.
std::string listing(std::span<const std::string> names, std::size_t most = 8);

/// Names in a sentence, the last after `last`: "a, b or c".
std::string in_words(std::span<const std::string_view> names, std::string_view last);

}  // namespace mugrad

// SPDX-License-Identifier: MIT
// Words and terms by their definitions, slowly.
#pragma once

#include <mugrad/data/table_encoding.h>

#include <string>
#include <string_view>
#include <vector>

namespace mugrad::testing {

/// Whether rule WB3c of UAX #29 applies, which joins emoji to a zero-width joiner before them.
enum class EmojiRule { applies, is_left_out };

/// For each position in the text whether it is a word boundary, rule by rule. Colons are between
/// words.
std::vector<bool> plain_boundaries(std::u32string_view text, EmojiRule emoji);

/// The segments with a letter or digit, in lower case.
std::vector<std::string> plain_words(std::string_view text);

/// The terms of a text, in no particular order.
std::vector<std::string> plain_terms(std::string_view text, const TextOptions& options);

}  // namespace mugrad::testing

// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad::testing {

std::string utf8_of(std::u32string_view characters);

/// A character of some script, mark, emoji or punctuation that rules of word boundaries name, or
/// any character.
char32_t random_character(std::mt19937_64& random);

/// Up to `most` of them; about half of the texts have blanks between short words.
std::u32string random_characters(std::mt19937_64& random, std::size_t most);

/// Texts of a few random words and of random characters, some of them empty.
std::vector<std::string> random_texts(std::size_t count, std::uint64_t seed);

std::vector<std::string_view> views_of(const std::vector<std::string>& texts);

}  // namespace mugrad::testing

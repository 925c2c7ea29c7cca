// SPDX-License-Identifier: MIT
#include "data/text/word_reader.h"

#include <unicode/bytestream.h>
#include <unicode/casemap.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <new>

namespace mugrad {
namespace {

bool is_letter(WordBreak kind) noexcept {
  return kind == WordBreak::letter || kind == WordBreak::hebrew;
}

bool is_letter_or_digit(WordBreak kind) noexcept {
  return is_letter(kind) || kind == WordBreak::digit;
}

/// Whether ASCII letters, digits and underscores are joined to such a character.
bool joins_ascii(WordBreak kind) noexcept {
  return is_letter_or_digit(kind) || kind == WordBreak::connector;
}

/// Whether there is no boundary between two characters: WB5, WB8 to WB10, WB13 to WB13b.
bool are_joined(WordBreak one, WordBreak next) noexcept {
  if (is_letter_or_digit(one) && is_letter_or_digit(next)) return true;
  const bool is_connected = is_letter_or_digit(one) || one == WordBreak::katakana;
  if (next == WordBreak::connector) return is_connected || one == WordBreak::connector;
  if (next == WordBreak::katakana) {
    return one == WordBreak::katakana || one == WordBreak::connector;
  }
  return one == WordBreak::connector && is_letter_or_digit(next);
}

/// Whether there is no boundary on either side of `middle`: WB6, WB7, WB7b, WB7c, WB11, WB12.
bool are_joined_by(WordBreak one, WordBreak middle, WordBreak next) noexcept {
  if (middle == WordBreak::double_quote) {
    return one == WordBreak::hebrew && next == WordBreak::hebrew;
  }
  const bool is_for_both = middle == WordBreak::mid_both || middle == WordBreak::single_quote;
  if (is_letter(one)) {
    return is_letter(next) && (is_for_both || middle == WordBreak::mid_letter);
  }
  return one == WordBreak::digit && next == WordBreak::digit &&
         (is_for_both || middle == WordBreak::mid_number);
}

void append_character(char32_t character, std::string& out) {
  std::array<std::uint8_t, U8_MAX_LENGTH> bytes;
  std::size_t count = 0;
  U8_APPEND_UNSAFE(bytes.data(), count, character);
  for (std::size_t i = 0; i < count; ++i) out += static_cast<char>(bytes[i]);
}

void append_lower_by_context(std::string_view word, std::string& out) {
  icu::StringByteSink<std::string> sink(&out);
  UErrorCode error = U_ZERO_ERROR;
  icu::CaseMap::utf8ToLower("", 0, {word.data(), static_cast<int>(word.size())}, sink, nullptr,
                            error);
  if (U_FAILURE(error)) throw std::bad_alloc();  // the only error that valid text can cause
}

/// Requires: valid UTF-8.
void append_lower_of_unicode(std::string_view word, std::string& out) {
  // The only characters whose lower case is not one character, or depends on its neighbours.
  constexpr char32_t kSigma = 0x3A3;
  constexpr char32_t kDottedI = 0x130;
  const std::size_t begin = out.size();
  for (std::size_t at = 0; at < word.size();) {
    const Utf8Character character = first_character(word.substr(at));
    if (character.value == kSigma || character.value == kDottedI) {
      out.resize(begin);
      append_lower_by_context(word, out);
      return;
    }
    const auto upper = static_cast<UChar32>(character.value);
    const UChar32 lower = u_tolower(upper);
    if (lower == upper) {
      out.append(word, at, character.bytes);
    } else {
      append_character(static_cast<char32_t>(lower), out);
    }
    at += character.bytes;
  }
}

void append_lower(std::string_view word, std::string& out) {
  const std::size_t begin = out.size();
  out.append(word);
  unsigned all_bits = 0;
  for (std::size_t i = begin; i < out.size(); ++i) {
    const auto byte = static_cast<unsigned char>(out[i]);
    all_bits |= byte;
    const bool is_upper = byte >= 'A' && byte <= 'Z';
    out[i] = static_cast<char>(is_upper ? byte | 0x20U : byte);
  }
  if (all_bits < 128) return;
  out.resize(begin);
  append_lower_of_unicode(word, out);
}

}  // namespace

/// WB4: the position after the marks that belong to the character before `position`.
std::size_t WordReader::after_marks(std::size_t position) const noexcept {
  while (true) {
    const Character mark = character_at(position);
    if (mark.kind.word_break != WordBreak::mark) return position;
    position += mark.bytes;
  }
}

/// Moves to the next character that a word can start with; false if there is none.
bool WordReader::skip_to_start() noexcept {
  while (true) {
    const Character character = character_at(position_);
    const WordBreak kind = character.kind.word_break;
    if (character.bytes == 0) return false;
    if (joins_ascii(kind) || kind == WordBreak::katakana) return true;
    if (kind == WordBreak::other && character.kind.is_letter_or_digit) return true;
    position_ += character.bytes;
  }
}

/// The end of the ASCII letters, digits and underscores that start at `position`.
std::size_t WordReader::read_ascii(std::size_t position, bool& has_letter_or_digit) const noexcept {
  for (; position < text_.size(); ++position) {
    const auto byte = static_cast<unsigned char>(text_[position]);
    if (byte >= 128 || !joins_ascii(character_kind::kAscii[byte].word_break)) break;
    has_letter_or_digit |= character_kind::kAscii[byte].is_letter_or_digit;
  }
  return position;
}

/// Moves to the end of the segment that starts here; returns whether it is a word.
bool WordReader::read_segment() noexcept {
  Character last = character_at(position_);
  bool is_word = last.kind.is_letter_or_digit;
  position_ += last.bytes;
  while (true) {
    if (joins_ascii(last.kind.word_break)) {
      const std::size_t begin = position_;
      position_ = read_ascii(position_, is_word);
      if (position_ != begin) last = character_at(position_ - 1);
    }
    position_ = after_marks(position_);
    const Character next = character_at(position_);
    const WordBreak one = last.kind.word_break;
    const WordBreak two = next.kind.word_break;
    if (two == WordBreak::other || one == WordBreak::other) return is_word;
    if (are_joined(one, two)) {
      position_ += next.bytes;
      is_word |= next.kind.is_letter_or_digit;
      last = next;
      continue;
    }
    const std::size_t after = after_marks(position_ + next.bytes);
    const Character third = character_at(after);
    if (are_joined_by(one, two, third.kind.word_break)) {
      position_ = after + third.bytes;
      is_word |= third.kind.is_letter_or_digit;
      last = third;
      continue;
    }
    // WB7a
    if (one == WordBreak::hebrew && two == WordBreak::single_quote) position_ = after;
    return is_word;
  }
}

bool WordReader::next(std::string& out) {
  while (skip_to_start()) {
    const std::size_t begin = position_;
    if (!read_segment()) continue;
    append_lower(text_.substr(begin, position_ - begin), out);
    return true;
  }
  return false;
}

}  // namespace mugrad

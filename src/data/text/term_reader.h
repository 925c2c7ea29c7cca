// SPDX-License-Identifier: MIT
#pragma once

#include "data/text/word_reader.h"

#include <mugrad/data/table_encoding.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad {

/// Throws UsageError if an option is out of range, or if there would be no terms.
void check_text_options(const TextOptions& options);

/// Reads the terms of texts, which TextOptions describes. It keeps its memory from text to text;
/// each thread needs its own.
class TermReader {
 public:
  /// The first character of an n-gram of characters, which no word starts with.
  static constexpr char kCharacterMark = '~';
  /// A text may have so many bytes.
  static constexpr std::size_t kMostBytes = std::size_t{1} << 30U;

  /// Throws UsageError, see check_text_options.
  explicit TermReader(const TextOptions& options);

  /// Calls take(std::string_view) with each term as often as it occurs. The view is valid during
  /// the call. Throws InputError if the text is too long.
  template <class Take>
  void read(std::string_view text, Take&& take) {
    start(text);
    WordReader reader(text);
    while (next_word(reader)) {
      take_words(take);
      if (max_characters_ > 0) take_characters(take);
    }
  }

 private:
  void start(std::string_view text);
  /// Appends the next word to words_; false if there is none.
  bool next_word(WordReader& reader);
  void pad_last_word();

  /// The n-grams of words that end with the last word.
  template <class Take>
  void take_words(Take&& take) const {
    const std::size_t most = std::min(max_words_, starts_.size());
    for (std::size_t n = min_words_; n <= most; ++n) {
      take(std::string_view(words_).substr(starts_[starts_.size() - n]));
    }
  }

  template <class Take>
  void take_characters(Take&& take) {
    pad_last_word();
    const std::size_t count = character_starts_.size() - 1;
    for (std::size_t n = min_characters_; n <= max_characters_; ++n) {
      const std::size_t size = std::min(n, count);
      for (std::size_t i = 0; i + size <= count; ++i) {
        const std::size_t begin = character_starts_[i];
        term_.assign(1, kCharacterMark);
        term_.append(padded_, begin, character_starts_[i + size] - begin);
        take(std::string_view(term_));
      }
      if (n >= count) return;
    }
  }

  std::size_t min_words_, max_words_, min_characters_, max_characters_;
  std::string words_ = {};                ///< of the text so far, with a blank between them
  std::vector<std::size_t> starts_ = {};  ///< of each word in words_
  std::string padded_ = {};               ///< the last word, with a blank on both sides
  std::vector<std::size_t> character_starts_ = {};  ///< in padded_; then its end
  std::string term_ = {};
};

}  // namespace mugrad

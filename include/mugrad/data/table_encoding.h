// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

namespace mugrad {

/// How a text becomes terms, and which of them become features.
///
/// Words are found by the word boundaries of Unicode (UAX #29): a word has at least one letter or
/// digit, and is converted to lower case. "Don't" and "3.5" are one word each, "a:b" and "re-read"
/// are two. In scripts without blanks between words, every character is a word, with its vowel
/// signs; only runs of katakana stay together. Emoji are no words. A word of one ASCII letter or
/// digit is left out. Composed and decomposed characters are not made equal.
///
/// Terms are n-grams of words, joined by blanks, also across sentences and words left out; and
/// n-grams of characters (code points) within words, each word with a blank on both sides. A word
/// shorter than the n-gram gives itself once, with its blanks. The name of an n-gram of characters
/// begins with '~', so that "~cat", a part of a word, is not the word "cat".
///
/// Terms are the features, in ascending order of their bytes, which is that of their code points.
struct TextOptions {
  Index min_words = 1;  ///< of an n-gram of words, in [1, 100]
  Index max_words = 2;  ///< at least min_words, at most 100; 0: no n-grams of words
  /// Of an n-gram of characters, in [1, 100]. Both are 0: none.
  Index min_characters = 0;
  Index max_characters = 0;
  Index min_documents =
      2;  ///< a feature occurs in at least so many texts of the training data; >= 1
  double max_document_share = 1;  ///< and in at most this share of them, in (0, 1]
  /// Keeps the terms that occur in the most texts, and of equals the first; >= 1.
  Index max_terms = 200'000;
  /// In [1, 30]: there is no vocabulary, and feature i counts the terms whose 64-bit XXH3 is i
  /// modulo 2^hash_bits. 0: a vocabulary.
  int hash_bits = 0;
  bool sublinear = true;  ///< a term that occurs c > 0 times counts 1 + ln c; false: c

  bool operator==(const TextOptions&) const = default;
};

}  // namespace mugrad

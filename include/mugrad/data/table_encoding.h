// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

namespace mugrad {

/// How a text becomes terms: words, and n-grams of words or characters.
struct TextOptions {
  Index min_words = 1;  ///< of an n-gram of words; >= 1
  Index max_words = 2;  ///< 0: no n-grams of words
  /// Of n-grams of characters within words, which have a blank before and after; 0: none.
  Index min_characters = 0;
  Index max_characters = 0;
  Index min_documents = 2;        ///< a term must occur in so many texts; >= 1
  double max_document_share = 1;  ///< and in at most this share of them; in (0, 1]
  /// Keeps the terms that occur in the most texts; ties by their bytes.
  Index max_terms = 200'000;
  /// Instead of a vocabulary, terms are hashed to 2^hash_bits features; 0: a vocabulary.
  int hash_bits = 0;
  bool sublinear = true;  ///< a term that occurs c times counts 1 + ln c

  bool operator==(const TextOptions&) const = default;
};

}  // namespace mugrad

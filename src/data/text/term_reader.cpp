// SPDX-License-Identifier: MIT
#include "data/text/term_reader.h"

#include <mugrad/core/error.h>

#include <limits>

namespace mugrad {
namespace {

/// The terms of a text, and the time for them, grow with this.
constexpr Index kLongest = 100;

void check_range(std::string_view name, Index value, Index least, Index most) {
  if (value >= least && value <= most) return;
  throw UsageError(fmt::format("{} must be between {} and {}, got {}", name, least, most, value));
}

}  // namespace

void check_text_options(const TextOptions& options) {
  constexpr Index kMostColumns = std::numeric_limits<FeatureId>::max();
  constexpr int kMostBits = 30;
  if (options.max_words == 0 && options.max_characters == 0) {
    throw UsageError("texts have no terms if max_words and max_characters are 0");
  }
  check_range("min_words", options.min_words, 1, kLongest);
  if (options.max_words != 0) {
    check_range("max_words", options.max_words, options.min_words, kLongest);
  }
  if (options.max_characters != 0 || options.min_characters != 0) {
    check_range("min_characters", options.min_characters, 1, kLongest);
    check_range("max_characters", options.max_characters, options.min_characters, kLongest);
  }
  check_range("min_documents", options.min_documents, 1, std::numeric_limits<Index>::max());
  if (!(options.max_document_share > 0 && options.max_document_share <= 1)) {
    throw UsageError(fmt::format("max_document_share must be above 0 and at most 1, got {}",
                                 options.max_document_share));
  }
  check_range("max_terms", options.max_terms, 1, kMostColumns);
  check_range("hash_bits", options.hash_bits, 0, kMostBits);
}

TermReader::TermReader(const TextOptions& options) {
  check_text_options(options);
  min_words_ = as_size(options.min_words);
  max_words_ = as_size(options.max_words);
  min_characters_ = as_size(options.min_characters);
  max_characters_ = as_size(options.max_characters);
}

void TermReader::start(std::string_view text) {
  if (text.size() > kMostBytes) {
    throw InputError(fmt::format("a text of {} bytes is too long; at most {} were expected",
                                 text.size(), kMostBytes));
  }
  words_.clear();
  starts_.clear();
}

bool TermReader::next_word(WordReader& reader) {
  if (!starts_.empty()) words_ += ' ';
  const std::size_t begin = words_.size();
  while (reader.next(words_)) {
    if (words_.size() - begin > 1) {
      starts_.push_back(begin);
      return true;
    }
    words_.resize(begin);  // one letter or digit of ASCII, which is no term
  }
  return false;
}

void TermReader::pad_last_word() {
  padded_.assign(1, ' ').append(words_, starts_.back()).append(1, ' ');
  character_starts_.clear();
  for (std::size_t i = 0; i < padded_.size(); ++i) {
    const bool starts_character = (static_cast<unsigned char>(padded_[i]) & 0xC0U) != 0x80U;
    if (starts_character) character_starts_.push_back(i);
  }
  character_starts_.push_back(padded_.size());
}

std::vector<std::string> terms_of_text(std::string_view text, const TextOptions& options) {
  std::vector<std::string> terms;
  TermReader(options).read(text, [&](std::string_view term) { terms.emplace_back(term); });
  return terms;
}

}  // namespace mugrad

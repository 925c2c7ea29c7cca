// SPDX-License-Identifier: MIT
#include "data/text/term_reader.h"

#include <mugrad/core/error.h>
#include <mugrad/core/option_text.h>

#include <limits>

namespace mugrad {
namespace {

/// The terms of a text, and the time for them, grow with this.
constexpr Index kLongest = 100;

void check_range(Option option, Index value, Index least, Index most) {
  if (value >= least && value <= most) return;
  throw UsageError(
      fmt::format("{} must be between {} and {}, got {}", option_text(option), least, most, value));
}

}  // namespace

void check_text_options(const TextOptions& options) {
  constexpr Index kMostColumns = std::numeric_limits<FeatureId>::max();
  constexpr int kMostBits = 30;
  if (options.max_words == 0 && options.max_characters == 0) {
    throw UsageError(fmt::format("texts have no terms if {} and {} are 0",
                                 option_text(Option::max_words),
                                 option_text(Option::max_characters)));
  }
  check_range(Option::min_words, options.min_words, 1, kLongest);
  if (options.max_words != 0) {
    check_range(Option::max_words, options.max_words, options.min_words, kLongest);
  }
  if (options.max_characters != 0 || options.min_characters != 0) {
    check_range(Option::min_characters, options.min_characters, 1, kLongest);
    check_range(Option::max_characters, options.max_characters, options.min_characters, kLongest);
  }
  if (options.min_documents < 1) {
    throw UsageError(fmt::format("{} must be at least 1, got {}",
                                 option_text(Option::min_documents), options.min_documents));
  }
  if (!(options.max_document_share > 0 && options.max_document_share <= 1)) {
    throw UsageError(fmt::format("{} must be above 0 and at most 1, got {}",
                                 option_text(Option::max_document_share),
                                 options.max_document_share));
  }
  check_range(Option::max_terms, options.max_terms, 1, kMostColumns);
  check_range(Option::hash_bits, options.hash_bits, 0, kMostBits);
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

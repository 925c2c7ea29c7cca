// SPDX-License-Identifier: MIT
#include "core/utf8.h"
#include "data/text/term_counter.h"
#include "data/text/vocabulary.h"
#include "fuzz/support.h"
#include "fuzz/targets.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace mugrad::fuzz {
namespace {

TextOptions options_of(Choices& choices) {
  const auto number = [&](std::size_t bound) { return static_cast<Index>(choices.below(bound)); };
  return {.min_words = number(4),
          .max_words = number(5),
          .min_characters = number(3),
          .max_characters = number(7),
          .min_documents = 1,
          .max_terms = std::numeric_limits<FeatureId>::max(),
          .sublinear = false};
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    lines.push_back(text.substr(0, text.find('\n')));
    text.remove_prefix(std::min(text.size(), lines.back().size() + 1));
  }
  return lines;
}

double sum_of(const CsrMatrix<double>& counts, Index row) {
  const auto values = counts.row_values(row);
  return std::accumulate(values.begin(), values.end(), 0.0);
}

/// Terms of these texts, by a vocabulary and by hashes.
void count_terms(const std::vector<std::string_view>& texts, TextOptions options) {
  static ThreadPool pool(Threads{1});
  const auto vocabulary = learn_vocabulary(texts, options, pool);
  require(std::ranges::adjacent_find(vocabulary, std::greater_equal()) == vocabulary.end(),
          "a vocabulary does not ascend");
  for (const std::string& term : vocabulary) {
    require(!term.empty() && is_utf8(term), "a term is empty or not UTF-8");
  }
  const auto counts = TermCounter(vocabulary, options).count(texts, pool);
  options.hash_bits = 3;
  const auto hashed = TermCounter({}, options).count(texts, pool);
  require(counts.rows() == std::ssize(texts) && hashed.rows() == counts.rows(),
          "texts and rows are not of one number");
  for (Index row = 0; row < counts.rows(); ++row) {
    require(sum_of(counts, row) == sum_of(hashed, row), "terms are lost");
  }
  const auto is_used = [&](std::size_t column) {
    return std::ranges::find(counts.column, static_cast<FeatureId>(column)) != counts.column.end();
  };
  for (std::size_t i = 0; i < std::min<std::size_t>(vocabulary.size(), 8); ++i) {
    require(is_used(i), "a term of the vocabulary is in no text");
  }
}

}  // namespace

/// Four bytes choose the options; each line of the rest is a text.
void texts(std::string_view input) {
  constexpr std::size_t kOptions = 4;
  Choices choices(input.substr(0, kOptions));
  const TextOptions options = options_of(choices);
  const auto lines = lines_of(input.substr(std::min(input.size(), kOptions)));
  accepted([&] { count_terms(lines, options); });
}

}  // namespace mugrad::fuzz

// SPDX-License-Identifier: MIT
#include "data/text/term_counter.h"

#include "core/growing_memory.h"
#include "data/text/term_hash.h"
#include "data/text/text_blocks.h"
#include "data/text/vocabulary.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace mugrad {
namespace {

/// The rows of all parts, which are emptied one after the other.
CsrMatrix<double> stacked(std::vector<CsrMatrix<double>>& parts, Index cols, Index rows) {
  Index nonzeros = 0;
  for (const auto& part : parts) nonzeros += part.nonzeros();
  CsrMatrix<double> result{.cols = cols};
  result.row_start.reserve(as_size(rows + 1));
  result.column.reserve(as_size(nonzeros));
  result.value.reserve(as_size(nonzeros));
  for (auto& part : parts) {
    const Index before = result.nonzeros();
    for (std::size_t row = 1; row < part.row_start.size(); ++row) {
      result.row_start.push_back(before + part.row_start[row]);
    }
    result.column.insert(result.column.end(), part.column.begin(), part.column.end());
    result.value.insert(result.value.end(), part.value.begin(), part.value.end());
    part = {};
  }
  return result;
}

}  // namespace

TermCounter::TermCounter(std::span<const std::string> vocabulary, const TextOptions& options)
    : options_(options) {
  check_text_options(options);
  assert(options.hash_bits == 0 || vocabulary.empty());
  for (const std::string& term : vocabulary) columns_.add(term, term_hash(term));
  assert(columns_.size() == vocabulary.size());
}

Index TermCounter::features() const noexcept {
  return options_.hash_bits > 0 ? Index{1} << options_.hash_bits : columns_.size();
}

/// Appends the columns of the terms that have one, in their order.
void TermCounter::look_up(Waiting& waiting, std::vector<FeatureId>& found) const {
  columns_.prefetch(waiting.hashes);
  std::size_t begin = 0;
  for (std::size_t k = 0; k < waiting.hashes.size(); ++k) {
    const std::size_t end = waiting.ends[k];
    const auto term = std::string_view(waiting.bytes).substr(begin, end - begin);
    const std::uint32_t column = columns_.find(term, waiting.hashes[k]);
    if (column != TermMap::kNone) found.push_back(static_cast<FeatureId>(column));
    begin = end;
  }
  waiting.bytes.clear();
  waiting.ends.clear();
  waiting.hashes.clear();
}

void TermCounter::append_row(std::string_view text, Scratch& scratch) const {
  auto& found = scratch.found;
  found.clear();
  if (options_.hash_bits > 0) {
    const std::uint64_t low_bits = (std::uint64_t{1} << options_.hash_bits) - 1;
    scratch.reader.read(text, [&](std::string_view term) {
      found.push_back(static_cast<FeatureId>(term_hash(term) & low_bits));
    });
  } else {
    constexpr std::size_t kAtOnce = 64;
    Waiting& waiting = scratch.waiting;
    scratch.reader.read(text, [&](std::string_view term) {
      waiting.bytes += term;
      waiting.ends.push_back(waiting.bytes.size());
      waiting.hashes.push_back(static_cast<std::uint32_t>(term_hash(term)));
      if (waiting.hashes.size() == kAtOnce) look_up(waiting, found);
    });
    look_up(waiting, found);
  }
  std::ranges::sort(found);
  for (auto at = found.begin(); at != found.end();) {
    const auto end = std::find_if(at, found.end(), [&](FeatureId column) { return column != *at; });
    const auto count = static_cast<double>(end - at);
    scratch.rows.column.push_back(*at);
    scratch.rows.value.push_back(options_.sublinear ? 1 + std::log(count) : count);
    at = end;
  }
  scratch.rows.end_row();
}

CsrMatrix<double> TermCounter::count(std::span<const std::string_view> texts, ThreadPool& pool,
                                     Progress* progress) const {
  const auto blocks = text_blocks(texts);
  std::vector<CsrMatrix<double>> parts(blocks.size());
  std::vector<Scratch> scratches;
  GrowingMemory memory("counting the terms of texts", "counts", fewer_terms());
  double held = 0;
  for_rounds_of(blocks, pool, progress, [&](Index first, Index count_of_round) {
    while (std::ssize(scratches) < count_of_round) scratches.push_back({TermReader(options_)});
    pool.run(count_of_round, [&](Index k) {
      Scratch& scratch = scratches[as_size(k)];
      scratch.rows.row_start.assign(1, 0);
      scratch.rows.column.clear();
      scratch.rows.value.clear();
      const TextBlock& block = blocks[as_size(first + k)];
      for (Index text = block.begin; text < block.end; ++text) {
        append_row(texts[as_size(text)], scratch);
      }
      parts[as_size(first + k)] = scratch.rows;  // a copy, without unused capacity
    });
    for (Index k = first; k < first + count_of_round; ++k) {
      const auto& part = parts[as_size(k)];
      held += bytes_of(part.row_start) + bytes_of(part.column) + bytes_of(part.value);
    }
    // All of it is copied at the end.
    memory.check(held, (1 + GrowingMemory::kStep) * held);
  });
  return stacked(parts, features(), std::ssize(texts));
}

}  // namespace mugrad

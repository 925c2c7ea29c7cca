// SPDX-License-Identifier: MIT
#include "data/text/vocabulary.h"

#include "core/stages.h"
#include "data/text/term_hash.h"
#include "data/text/text_blocks.h"

#include <mugrad/core/option_text.h>

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace mugrad {

VocabularyLearner::VocabularyLearner(const TextOptions& options)
    : options_(options),
      shards_(kShards),
      memory_("learning the terms of texts", "further terms", fewer_terms()) {
  check_text_options(options);
}

/// The terms of a block, each once per text.
void VocabularyLearner::count(std::span<const std::string_view> texts, Block& block) {
  for (BlockShard& shard : block.shards) {
    shard.terms.clear();
    shard.documents.clear();
    shard.last.clear();
  }
  for (Index text = 0; text < std::ssize(texts); ++text) {
    block.reader.read(texts[as_size(text)], [&](std::string_view term) {
      const std::uint64_t hash = term_hash(term);
      BlockShard& shard = block.shards[hash >> (64 - kShardBits)];
      const std::uint32_t number = shard.terms.add(term, hash);
      if (number == shard.last.size()) {
        shard.documents.push_back(1);
        shard.last.push_back(text);
      } else if (shard.last[number] != text) {
        ++shard.documents[number];
        shard.last[number] = text;
      }
    });
  }
}

/// Adds one shard of the first blocks.
void VocabularyLearner::merge(std::size_t shard, std::size_t blocks) {
  constexpr std::uint32_t kAtOnce = 64;
  Shard& all = shards_[shard];
  for (std::size_t k = 0; k < blocks; ++k) {
    const BlockShard& part = blocks_[k].shards[shard];
    std::array<std::uint32_t, kAtOnce> hashes;
    for (std::uint32_t i = 0; i < part.terms.size(); ++i) {
      if (i % kAtOnce == 0) {
        const std::uint32_t count = std::min(kAtOnce, part.terms.size() - i);
        for (std::uint32_t j = 0; j < count; ++j) hashes[j] = part.terms.hash(i + j);
        all.terms.prefetch(std::span(hashes).first(count));
      }
      const std::uint32_t number = all.terms.add(part.terms.term(i), part.terms.hash(i));
      if (number == all.documents.size()) all.documents.push_back(0);
      all.documents[number] += part.documents[i];
    }
  }
}

void VocabularyLearner::add(std::span<const std::string_view> texts, ThreadPool& pool,
                            Progress* progress) {
  const auto blocks = text_blocks(texts);
  for_rounds_of(blocks, pool, progress, [&](Index first, Index count_of_round) {
    while (std::ssize(blocks_) < count_of_round) blocks_.push_back({TermReader(options_)});
    pool.run(count_of_round, [&](Index k) {
      const TextBlock& block = blocks[as_size(first + k)];
      count(texts.subspan(as_size(block.begin), as_size(block.end - block.begin)),
            blocks_[as_size(k)]);
    });
    pool.run(as_index(kShards),
             [&](Index shard) { merge(as_size(shard), as_size(count_of_round)); });
    if (const double held = bytes(); memory_.is_due(held)) memory_.check(held, bytes_to_grow());
  });
  texts_ += std::ssize(texts);
}

std::vector<std::string> VocabularyLearner::vocabulary() const { return new_terms({}).terms; }

NewTerms VocabularyLearner::new_terms(std::span<const std::string> known) const {
  struct Term {
    std::uint32_t documents;
    std::string_view text;
  };
  const std::unordered_set<std::string_view> is_known(known.begin(), known.end());
  std::vector<Term> terms;
  for (const Shard& shard : shards_) {
    for (std::uint32_t i = 0; i < shard.terms.size(); ++i) {
      const std::uint32_t documents = shard.documents[i];
      const double share = static_cast<double>(documents) / static_cast<double>(texts_);
      if (documents < options_.min_documents || share > options_.max_document_share) continue;
      if (!is_known.contains(shard.terms.term(i))) {
        terms.push_back({documents, shard.terms.term(i)});
      }
    }
  }
  NewTerms result;
  const Index room = std::max<Index>(0, options_.max_terms - std::ssize(known));
  if (std::ssize(terms) > room) {
    result.left_out = std::ssize(terms) - room;
    const auto end = terms.begin() + room;
    std::ranges::nth_element(terms, end, [](const Term& a, const Term& b) {
      return a.documents != b.documents ? a.documents > b.documents : a.text < b.text;
    });
    terms.erase(end, terms.end());
  }
  std::ranges::sort(terms, {}, &Term::text);
  result.terms.reserve(terms.size());
  for (const Term& term : terms) result.terms.emplace_back(term.text);
  return result;
}

Index VocabularyLearner::terms() const noexcept {
  Index sum = 0;
  for (const Shard& shard : shards_) sum += shard.terms.size();
  return sum;
}

double VocabularyLearner::bytes() const noexcept {
  double sum = 0;
  for (const Shard& shard : shards_) {
    sum += shard.terms.bytes() +
           static_cast<double>(shard.documents.capacity() * sizeof(std::uint32_t));
  }
  return sum;
}

double VocabularyLearner::bytes_to_grow() const noexcept {
  // A shard that grows is copied, but only a few grow at a time.
  constexpr double kCopied = 0.125;
  return (GrowingMemory::kStep + kCopied) * bytes();
}

std::string fewer_terms() {
  return fmt::format("hashing them ({}), shorter n-grams ({}), or a sample of the rows",
                     option_text(Option::hash_bits, "18"), option_text(Option::max_words, "1"));
}

NewTerms learn_new_terms(std::span<const std::string_view> texts,
                         std::span<const std::string> known, const TextOptions& options,
                         ThreadPool& pool, Progress* progress) {
  constexpr double kCounted = 0.95;
  Stages stages(progress);
  stages.enter(0, kCounted);
  VocabularyLearner learner(options);
  learner.add(texts, pool, &stages);
  stages.enter(kCounted, 1);
  auto result = learner.new_terms(known);
  stages.advance(1);
  return result;
}

std::vector<std::string> learn_vocabulary(std::span<const std::string_view> texts,
                                          const TextOptions& options, ThreadPool& pool,
                                          Progress* progress) {
  return learn_new_terms(texts, {}, options, pool, progress).terms;
}

}  // namespace mugrad

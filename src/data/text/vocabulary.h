// SPDX-License-Identifier: MIT
#pragma once

#include "core/growing_memory.h"
#include "data/text/term_map.h"
#include "data/text/term_reader.h"

#include <mugrad/core/progress.h>
#include <mugrad/parallel/thread_pool.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad {

/// Terms beside those of a vocabulary.
struct NewTerms {
  std::vector<std::string> terms = {};  ///< in ascending order of their bytes
  Index left_out = 0;                   ///< for which there was no room
};

/// Counts in how many texts each term occurs, and chooses a vocabulary. The number of threads, and
/// how the texts are divided among calls, change no result.
///
/// It holds every term of all texts, of which most occur once: about 70 bytes each, from 45 just
/// before its tables grow to 90 just after, and more for long terms. Each thread takes some 10 MB.
class VocabularyLearner {
 public:
  /// Throws UsageError, see check_text_options.
  explicit VocabularyLearner(const TextOptions& options);

  /// Adds texts, which are needed during the call only. Throws InputError if one is too long, and
  /// InterruptedError, and MemoryError before the terms take more memory than there is; the learner
  /// can then only be destroyed.
  void add(std::span<const std::string_view> texts, ThreadPool& pool, Progress* progress = nullptr);

  /// The terms that the options ask for, in ascending order of their bytes, which is that of their
  /// code points. It may be empty.
  std::vector<std::string> vocabulary() const;
  /// Those of them that a vocabulary lacks: the most frequent ones, until both together have as
  /// many terms as the options allow.
  NewTerms new_terms(std::span<const std::string> known) const;

  /// Different terms so far, and the memory that they take.
  Index terms() const noexcept;
  double bytes() const noexcept;

 private:
  static constexpr int kShardBits = 6;
  static constexpr std::size_t kShards = std::size_t{1} << kShardBits;

  /// The terms whose hashes begin with the same bits.
  struct Shard {
    TermMap terms = {};
    std::vector<std::uint32_t> documents = {};  ///< of each term
  };
  /// The terms of a block of texts.
  struct BlockShard {
    TermMap terms = {};
    std::vector<std::uint32_t> documents = {};
    std::vector<Index> last = {};  ///< text that each term has occurred in
  };
  struct Block {
    TermReader reader;
    std::array<BlockShard, kShards> shards = {};
  };

  /// Of its arrays, and of those that replace them when they grow.
  double bytes_to_grow() const noexcept;
  static void count(std::span<const std::string_view> texts, Block& block);
  void merge(std::size_t shard, std::size_t blocks);

  TextOptions options_;
  Index texts_ = 0;
  std::vector<Shard> shards_;
  std::vector<Block> blocks_;
  GrowingMemory memory_;
};

/// What may help where terms of texts take too much memory.
std::string fewer_terms();

/// The vocabulary of all texts. Throws as VocabularyLearner does.
std::vector<std::string> learn_vocabulary(std::span<const std::string_view> texts,
                                          const TextOptions& options, ThreadPool& pool,
                                          Progress* progress = nullptr);
/// The terms of all texts that `known` lacks, likewise.
NewTerms learn_new_terms(std::span<const std::string_view> texts,
                         std::span<const std::string> known, const TextOptions& options,
                         ThreadPool& pool, Progress* progress = nullptr);

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#pragma once

#include "data/text/term_map.h"
#include "data/text/term_reader.h"

#include <mugrad/core/progress.h>
#include <mugrad/linalg/sparse_matrix.h>
#include <mugrad/parallel/thread_pool.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad {

/// Counts the terms of texts: a row per text, and a column per term of a vocabulary, or per value
/// of a hash (TextOptions::hash_bits). Several threads may use it at once.
class TermCounter {
 public:
  /// Column i counts vocabulary[i]; terms that are not in it are ignored. With hash_bits, column
  /// term_hash(term) mod 2^hash_bits counts all its terms. Requires: no term is twice in the
  /// vocabulary, which is empty with hash_bits. Throws UsageError, see check_text_options.
  TermCounter(std::span<const std::string> vocabulary, const TextOptions& options);

  Index features() const noexcept;

  /// The number c > 0 of each term in each text, or 1 + ln c if TextOptions::sublinear. The number
  /// of threads changes no result. Besides the result, a copy of it is held for a moment. Throws
  /// InputError if a text is too long, and InterruptedError.
  CsrMatrix<double> count(std::span<const std::string_view> texts, ThreadPool& pool,
                          Progress* progress = nullptr) const;

 private:
  /// Terms that wait for being looked up together.
  struct Waiting {
    std::string bytes = {};
    std::vector<std::size_t> ends = {};  ///< of each term in bytes
    std::vector<std::uint32_t> hashes = {};
  };
  /// The scratch memory of a block of texts.
  struct Scratch {
    TermReader reader;
    Waiting waiting = {};
    std::vector<FeatureId> found = {};  ///< columns of the terms of a text
    CsrMatrix<double> rows = {};
  };

  void append_row(std::string_view text, Scratch& scratch) const;
  void look_up(Waiting& waiting, std::vector<FeatureId>& found) const;

  TextOptions options_;
  TermMap columns_;
};

}  // namespace mugrad

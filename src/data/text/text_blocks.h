// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/progress.h>
#include <mugrad/parallel/thread_pool.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

namespace mugrad {

/// Consecutive texts, which one thread works on.
struct TextBlock {
  Index begin = 0, end = 0;  ///< texts
  double bytes_before = 0;   ///< of all texts before `end`
};

/// Divides texts into blocks of some 64 KiB or a thousand texts, by their sizes alone.
std::vector<TextBlock> text_blocks(std::span<const std::string_view> texts);

/// Calls work(first, count) for all blocks, a few per thread of the pool at a time, and updates the
/// progress after each call. Throws InterruptedError.
template <class Work>
void for_rounds_of(const std::vector<TextBlock>& blocks, const ThreadPool& pool, Progress* progress,
                   const Work& work) {
  constexpr Index kPerThread = 8;
  const Index per_round = kPerThread * pool.size();
  advance(progress, 0);
  for (Index first = 0; first < std::ssize(blocks); first += per_round) {
    const Index count = std::min(per_round, std::ssize(blocks) - first);
    work(first, count);
    const double all = blocks.back().bytes_before;
    const double done = blocks[as_size(first + count - 1)].bytes_before;
    advance(progress, all > 0 ? done / all : 1);
  }
  if (blocks.empty()) advance(progress, 1);
}

}  // namespace mugrad

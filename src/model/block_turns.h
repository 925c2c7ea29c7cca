// SPDX-License-Identifier: MIT
#pragma once

#include "core/stages.h"

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

namespace mugrad {

/// Work on blocks, which threads take in ascending order. Of several failures, that of the lowest
/// block is kept, for any timing: all blocks below it were taken before.
class BlockTurns {
 public:
  explicit BlockTurns(Index count) : count_(count) {}

  /// Calls work(block) for free blocks until there are none or one has failed.
  template <class Work>
  void work_off(const Work& work) {
    for (;;) {
      const Index block = next_.fetch_add(1, std::memory_order_relaxed);
      if (block >= count_) return;
      try {
        work(block);
      } catch (...) {
        next_.store(count_, std::memory_order_relaxed);
        const std::lock_guard lock(mutex_);
        if (failure_ && failed_ < block) continue;
        failure_ = std::current_exception();
        failed_ = block;
      }
    }
  }
  /// Rethrows the exception of the lowest block, after all threads have returned.
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  Index count_;
  std::atomic<Index> next_ = 0;
  std::mutex mutex_;
  std::exception_ptr failure_;
  Index failed_ = 0;
};

/// The progress of blocks that several threads score: only the constructing thread updates the
/// whole; the others stop when it asks to stop.
class BlockProgress final : public Progress {
 public:
  /// `whole` may be null.
  BlockProgress(Progress* whole, Index blocks)
      : whole_(whole), blocks_(blocks), caller_(std::this_thread::get_id()) {}

  void add_done() noexcept { done_.fetch_add(1, std::memory_order_relaxed); }
  /// For any thread; progress within its block is not counted. An exception of the whole also ends
  /// the work, and is kept for rethrow().
  bool update(double /*share*/) noexcept override {
    if (whole_ != nullptr && std::this_thread::get_id() == caller_ && !failure_) {
      try {
        advance(whole_, share_of(done_.load(std::memory_order_relaxed), blocks_));
      } catch (...) {
        failure_ = std::current_exception();
        is_over_.store(true, std::memory_order_relaxed);
      }
    }
    return !is_over_.load(std::memory_order_relaxed);
  }
  /// For the constructing thread, after the others have ended.
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  Progress* whole_;
  Index blocks_;
  std::thread::id caller_;
  std::atomic<Index> done_ = 0;
  std::exception_ptr failure_;  ///< only of the caller
  std::atomic<bool> is_over_ = false;
};

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/checkpoint.h>
#include <mugrad/core/error.h>
#include <mugrad/core/types.h>

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

namespace mugrad {

/// The work on blocks that threads take in ascending order. What is kept of failures is that of the
/// lowest block, however the threads take turns: those below it have all been taken before.
class BlockTurns {
 public:
  explicit BlockTurns(Index count) : count_(count) {}

  /// work(block) for blocks that nobody has taken, until there are none or one has failed.
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
  /// What the lowest block threw, once all threads have returned.
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

/// A checkpoint for work that many threads do: the one that made this asks it, all others learn of
/// it when it has thrown.
class SharedCheckpoint {
 public:
  /// `ask` must outlive it.
  explicit SharedCheckpoint(const Checkpoint& ask)
      : ask_(ask), asker_(std::this_thread::get_id()) {}

  /// False when the work is to end.
  bool goes_on() noexcept {
    if (std::this_thread::get_id() == asker_ && !failure_) {
      try {
        ask_();
      } catch (...) {
        failure_ = std::current_exception();
        is_over_.store(true, std::memory_order_relaxed);
      }
    }
    return !is_over_.load(std::memory_order_relaxed);
  }
  /// The same for workers, by an exception: it is not what the checkpoint threw.
  void check() {
    if (!goes_on()) throw InterruptedError("the work was interrupted");
  }
  /// What the checkpoint threw, for the thread that asked, when the others have ended.
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  const Checkpoint& ask_;
  std::thread::id asker_;
  std::exception_ptr failure_;  ///< only the asker's
  std::atomic<bool> is_over_ = false;
};

}  // namespace mugrad

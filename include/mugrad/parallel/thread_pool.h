// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

#include <memory>

namespace mugrad {

/// How many threads to use. The number never changes a result.
struct Threads {
  /// More threads would cost much without benefit.
  static constexpr int kMost = 1024;

  int count = 0;  ///< 0: one per core this process may run on

  /// At least 1. Throws UsageError for a count that is negative or above kMost.
  int resolved() const;
  /// Caps the thread count at the number of work items.
  Threads at_most(Index pieces) const;
};

/// A pool of waiting threads. Any thread may run any item, so each item must write only its own
/// data; then the result does not depend on the number of threads.
class ThreadPool {
 public:
  explicit ThreadPool(Threads threads = {});
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// Includes the calling thread. Smaller than requested if the system cannot start more threads.
  int size() const noexcept;

  /// Runs work(0), ..., work(items - 1) and returns when all are done. If several throw, the
  /// exception of the lowest item is rethrown. Must not be called from inside an item, nor by two
  /// threads at once.
  template <class Work>
  void run(Index items, const Work& work) {
    run_each(items, call_of(work), {});
  }
  /// The same. While the calling thread waits for the others, it calls look(), which must not
  /// throw, about twenty times a second.
  template <class Work, class Look>
  void run(Index items, const Work& work, const Look& look) {
    const auto called = [&look](Index) { look(); };
    run_each(items, call_of(work), call_of(called));
  }

 private:
  /// A reference to a callable, which it does not own; creating one does not allocate.
  struct Call {
    const void* self = nullptr;
    void (*call)(const void* self, Index item) = nullptr;
  };
  template <class Work>
  static Call call_of(const Work& work) noexcept {
    return {&work, [](const void* self, Index item) { (*static_cast<const Work*>(self))(item); }};
  }
  void run_each(Index items, Call work, Call look);

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>
#include <mugrad/parallel/threads.h>

#include <memory>

namespace mugrad {

/// Threads that wait for work. Which thread runs which item is left open, so an item must write
/// only what is its own; then the result cannot depend on the number of threads.
class ThreadPool {
 public:
  explicit ThreadPool(Threads threads = {});
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// The calling thread counts as one. Fewer than asked for where the system starts no more.
  int size() const noexcept;

  /// Runs work(0), ..., work(items - 1) and returns when all are done. When some throw, the one
  /// of the lowest item is rethrown. Not to be called from inside an item, nor by two threads at
  /// once.
  template <class Work>
  void run(Index items, const Work& work) {
    run_each(items, call_of(work), {});
  }
  /// The same. While the calling thread waits for the others, it calls look(), which must not
  /// throw, some twenty times a second.
  template <class Work, class Look>
  void run(Index items, const Work& work, const Look& look) {
    const auto called = [&look](Index) { look(); };
    run_each(items, call_of(work), call_of(called));
  }

 private:
  /// A callable that someone else keeps: making one allocates nothing.
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

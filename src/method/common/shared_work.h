// SPDX-License-Identifier: MIT
#pragma once

#include "core/stages.h"

#include <mugrad/core/error.h>
#include <mugrad/parallel/thread_pool.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace mugrad {

/// Work items that threads take in order. Only the constructing thread updates the progress: in its
/// own goes_on() calls, and while it waits for the others.
class SharedWork final : public Progress {
 public:
  /// All items together are the current stage of `stages`; `costs` are relative to each other.
  SharedWork(Stages& stages, std::vector<double> costs);

  /// Calls worker() in every thread of the pool. Throws InterruptedError if the progress asks to
  /// stop, and rethrows exceptions of workers; the other workers then end at their next check.
  template <class Worker>
  void run(ThreadPool& pool, const Worker& worker) {
    pool.run(pool.size(), [&](Index) {
      enter();
      try {
        worker();
      } catch (const InterruptedError&) {
        stopped_ = true;  // thrown below, unless there is another exception
      } catch (...) {
        stopped_ = true;
        leave();
        throw;
      }
      leave();
    });
    if (stopped_) throw_interrupted();
  }

  // For workers:

  /// The next free item; none if all are taken, or if the work must stop.
  std::optional<std::size_t> next();
  void finish(std::size_t piece);
  /// False if the work must stop. Call it often.
  bool goes_on();
  /// For the run of one item: it can be stopped; its own progress is not counted.
  bool update(double /*share*/) override { return goes_on(); }

 private:
  void enter();
  /// Returns when no thread is at work: a thread without work must not replace the one that updates
  /// the progress.
  void leave();
  double share_done();

  Stages& stages_;
  std::vector<double> costs_;
  double all_costs_ = 0;
  std::thread::id caller_;
  std::atomic<bool> stopped_ = false;

  std::mutex mutex_;  ///< guards all members below
  std::condition_variable left_;
  std::size_t taken_ = 0;
  double done_ = 0;
  int at_work_ = 0;
};

}  // namespace mugrad

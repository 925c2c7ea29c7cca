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

/// Pieces of work that threads take one by one, in order. Only the thread that made the object
/// talks to the progress: at every goes_on() of its own, and while it waits for the others.
class SharedWork final : public Progress {
 public:
  /// All pieces together are the stage that `stages` is in; `costs` are relative to each other.
  SharedWork(Stages& stages, std::vector<double> costs);

  /// Calls worker() in every thread of the pool. Throws InterruptedError when the progress asks to
  /// stop, and what a worker throws; the others then end at their next check.
  template <class Worker>
  void run(ThreadPool& pool, const Worker& worker) {
    pool.run(pool.size(), [&](Index) {
      enter();
      try {
        worker();
      } catch (const InterruptedError&) {
        stopped_ = true;  // and say so below, unless there was another reason
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

  /// The next piece that nobody has taken; none when all are, or when it is to stop.
  std::optional<std::size_t> next();
  void finish(std::size_t piece);
  /// False when it is to stop. To be called often.
  bool goes_on();
  /// For the run of one piece: it can be stopped, and what it has done is not counted yet.
  bool update(double /*share*/) override { return goes_on(); }

 private:
  void enter();
  /// Returns when nobody is at work: a thread that found nothing to do must not take the place of
  /// the one that talks to the progress.
  void leave();
  double share_done();

  Stages& stages_;
  std::vector<double> costs_;
  double all_costs_ = 0;
  std::thread::id teller_;
  std::atomic<bool> stopped_ = false;

  std::mutex mutex_;  ///< of all below
  std::condition_variable left_;
  std::size_t taken_ = 0;
  double done_ = 0;
  int at_work_ = 0;
};

}  // namespace mugrad

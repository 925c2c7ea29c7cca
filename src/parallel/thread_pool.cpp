// SPDX-License-Identifier: MIT
#include <mugrad/core/error.h>
#include <mugrad/parallel/thread_pool.h>

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace mugrad {

int Threads::resolved() const {
  if (count < 0 || count > kMost) {
    throw UsageError(
        fmt::format("the number of threads must be between 0 and {}, got {}", kMost, count));
  }
  if (count > 0) return count;
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return std::max(1, CPU_COUNT(&allowed));
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

Threads Threads::at_most(Index pieces) const {
  return {static_cast<int>(std::clamp<Index>(pieces, 1, resolved()))};
}

namespace {

/// Tells the core that this is a spin-wait loop.
void relax() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

/// Items are taken and counted as done without a lock. A thread that finds none spins for a while
/// before it sleeps, because waking up takes longer than many work items.
///
/// `work` and `items` change only while no item is unfinished, and only threads that hold an item
/// read them. A thread announces its sleep before its last check, and a thread with news checks for
/// sleepers after publishing it. Both are sequentially consistent, so that one of the two sees the
/// other.
struct ThreadPool::State {
  std::atomic<Index> untaken = 0;
  std::atomic<Index> undone = 0;
  Call work = {};
  Index items = 0;
  int looks = 0;  ///< spins before sleeping

  std::mutex mutex;  ///< guards all members below
  std::condition_variable work_ready, work_done;
  std::atomic<int> sleeping_workers = 0;
  std::atomic<bool> caller_sleeps = false;
  std::atomic<bool> closing = false;
  Index failed_item = 0;
  std::exception_ptr failure;
  std::vector<std::thread> threads;

  /// Spins for `news` for a while; returns false if there was none.
  template <class News>
  bool look_for(const News& news) const noexcept {
    for (int look = 0; look < looks; ++look) {
      if (news()) return true;
      relax();
    }
    return news();
  }

  /// Takes items until there are none.
  void work_off() {
    Index left = untaken.load();
    while (left > 0) {
      if (!untaken.compare_exchange_weak(left, left - 1)) continue;
      do_item(items - left);
      if (undone.fetch_sub(1) == 1 && caller_sleeps.load()) {
        const std::lock_guard lock(mutex);
        work_done.notify_one();
      }
      left = untaken.load();
    }
  }

  void do_item(Index item) {
    try {
      work.call(work.self, item);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure || item < failed_item) {
        failure = std::current_exception();
        failed_item = item;
      }
    }
  }

  void offer(Index count, Call call) {
    work = call;
    items = count;
    undone.store(count);
    untaken.store(count);
    if (sleeping_workers.load() == 0) return;
    const std::lock_guard lock(mutex);
    work_ready.notify_all();
  }

  void wait_until_done(Call look) {
    constexpr std::chrono::milliseconds kBetweenLooks{50};
    const auto is_done = [this] { return undone.load() == 0; };
    if (look_for(is_done)) return;
    std::unique_lock lock(mutex);
    caller_sleeps.store(true);
    if (look.call == nullptr) {
      work_done.wait(lock, is_done);
    } else {
      while (!work_done.wait_for(lock, kBetweenLooks, is_done)) {
        lock.unlock();
        look.call(look.self, 0);
        lock.lock();
      }
    }
    caller_sleeps.store(false);
  }

  /// Starts up to this many threads. If one cannot be started, for example for lack of memory, the
  /// work may lack the same resource, so only half of those that could be started are kept.
  void start(int wanted) {
    while (true) {
      try {
        threads.reserve(as_size(wanted));
        while (std::ssize(threads) < wanted) {
          threads.emplace_back([this] { serve(); });
        }
        return;
      } catch (const std::exception&) {  // system_error or bad_alloc; the caller works anyway
        wanted = static_cast<int>(threads.size() / 2);
        close();
      }
    }
  }

  /// Ends the threads and waits for them.
  void close() {
    {
      const std::lock_guard lock(mutex);
      closing.store(true);
    }
    work_ready.notify_all();
    for (auto& thread : threads) thread.join();
    threads.clear();
    closing.store(false);
  }

  void serve() {
    const auto has_news = [this] { return untaken.load() > 0 || closing.load(); };
    while (true) {
      if (!look_for(has_news)) {
        std::unique_lock lock(mutex);
        ++sleeping_workers;
        work_ready.wait(lock, has_news);
        --sleeping_workers;
      }
      if (closing.load()) return;
      work_off();
    }
  }
};

ThreadPool::ThreadPool(Threads threads) : state_(std::make_unique<State>()) {
  const int wanted = threads.resolved();
  // A few tens of microseconds; with fewer cores than threads, spinning would delay others.
  state_->looks = wanted <= Threads{}.resolved() ? 1000 : 0;
  state_->start(wanted - 1);
}

ThreadPool::~ThreadPool() { state_->close(); }

int ThreadPool::size() const noexcept { return static_cast<int>(state_->threads.size()) + 1; }

void ThreadPool::run_each(Index items, Call work, Call look) {
  if (state_->threads.empty() || items <= 1) {
    for (Index item = 0; item < items; ++item) work.call(work.self, item);
    return;
  }
  state_->offer(items, work);
  state_->work_off();
  state_->wait_until_done(look);
  if (state_->failure) std::rethrow_exception(std::exchange(state_->failure, nullptr));
}

}  // namespace mugrad

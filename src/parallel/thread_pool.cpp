// SPDX-License-Identifier: MIT
#include <mugrad/core/error.h>
#include <mugrad/parallel/thread_pool.h>

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace mugrad {

int Threads::resolved() const {
  if (count > 0) return count;
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return std::max(1, CPU_COUNT(&allowed));
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

struct ThreadPool::State {
  std::mutex mutex;
  std::condition_variable work_ready;
  std::condition_variable work_done;
  const std::function<void(Index)>* work = nullptr;
  Index items = 0;
  Index next = 0;
  int busy = 0;  ///< threads inside an item
  bool closing = false;
  Index failed_item = 0;
  std::exception_ptr failure;
  std::vector<std::thread> threads;

  /// Takes items until there are none. Called, and returns, with the lock held.
  void work_off(std::unique_lock<std::mutex>& lock) {
    while (next < items) {
      const Index item = next++;
      const auto& task = *work;
      ++busy;
      lock.unlock();
      std::exception_ptr thrown;
      try {
        task(item);
      } catch (...) {
        thrown = std::current_exception();
      }
      lock.lock();
      --busy;
      if (thrown && (!failure || item < failed_item)) {
        failure = thrown;
        failed_item = item;
      }
    }
    if (busy == 0) work_done.notify_all();
  }

  /// Lets the threads end and waits for them.
  void close() {
    {
      const std::lock_guard lock(mutex);
      closing = true;
    }
    work_ready.notify_all();
    for (auto& thread : threads) thread.join();
  }

  void serve() {
    std::unique_lock lock(mutex);
    while (true) {
      work_ready.wait(lock, [this] { return closing || next < items; });
      if (closing) return;
      work_off(lock);
    }
  }
};

ThreadPool::ThreadPool(Threads threads) : state_(std::make_unique<State>()) {
  const int wanted = threads.resolved();
  try {
    for (int i = 1; i < wanted; ++i) {
      state_->threads.emplace_back([state = state_.get()] { state->serve(); });
    }
  } catch (const std::system_error& error) {
    const auto started = state_->threads.size() + 1;
    state_->close();
    throw Error(fmt::format("only {} of {} threads could be started: {}", started, wanted,
                            error.code().message()));
  }
}

ThreadPool::~ThreadPool() { state_->close(); }

int ThreadPool::size() const noexcept { return static_cast<int>(state_->threads.size()) + 1; }

void ThreadPool::run(Index items, const std::function<void(Index)>& work) {
  if (state_->threads.empty() || items <= 1) {
    for (Index item = 0; item < items; ++item) work(item);
    return;
  }
  std::unique_lock lock(state_->mutex);
  state_->work = &work;
  state_->items = items;
  state_->next = 0;
  state_->failure = nullptr;
  state_->work_ready.notify_all();
  state_->work_off(lock);
  state_->work_done.wait(lock, [this] { return state_->busy == 0; });
  state_->work = nullptr;
  state_->items = 0;
  if (state_->failure) std::rethrow_exception(std::exchange(state_->failure, nullptr));
}

}  // namespace mugrad

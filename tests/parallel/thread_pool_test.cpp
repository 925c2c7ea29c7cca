// SPDX-License-Identifier: MIT
#include <mugrad/core/error.h>
#include <mugrad/parallel/thread_pool.h>

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

namespace mugrad {
namespace {

TEST(ThreadPool, RunsEveryItemExactlyOnce) {
  for (const int threads : {1, 2, 4}) {
    ThreadPool pool({threads});
    EXPECT_EQ(pool.size(), threads);
    for (const Index items : {0, 1, 2, 3, 100, 1000}) {
      std::vector<std::atomic<int>> hits(static_cast<std::size_t>(items));
      pool.run(items, [&](Index item) { ++hits[static_cast<std::size_t>(item)]; });
      for (const auto& hit : hits) EXPECT_EQ(hit, 1);
    }
  }
}

TEST(Threads, AreRefusedBeyondWhatAnyoneCanUse) {
  EXPECT_EQ(Threads{Threads::kMost}.resolved(), Threads::kMost);
  for (const int count : {Threads::kMost + 1, 1'000'000'000, -1}) {
    EXPECT_THROW(Threads{count}.resolved(), UsageError) << count;
    EXPECT_THROW(ThreadPool(Threads{count}), UsageError) << count;
  }
}

TEST(ThreadPool, WhatItemsWroteIsSeenAfterRun) {
  ThreadPool pool({4});
  std::vector<Index> squares(500);
  for (int repeat = 0; repeat < 50; ++repeat) {
    pool.run(500, [&](Index item) { squares[static_cast<std::size_t>(item)] = item * item; });
    for (Index i = 0; i < 500; ++i) ASSERT_EQ(squares[static_cast<std::size_t>(i)], i * i);
  }
}

TEST(ThreadPool, RethrowsTheFailureOfTheLowestItemAndStaysUsable) {
  for (const int threads : {1, 3}) {
    ThreadPool pool({threads});
    try {
      pool.run(20, [](Index item) {
        if (item == 5 || item == 11) throw std::runtime_error(std::to_string(item));
      });
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "5");
    }
    std::atomic<int> ran = 0;
    pool.run(10, [&](Index) { ++ran; });
    EXPECT_EQ(ran, 10);
  }
}

TEST(ThreadPool, LooksUpWhileItWaitsForTheOthers) {
  ThreadPool pool({2});
  const auto caller = std::this_thread::get_id();
  std::atomic<bool> others_work = false, looked = false;
  pool.run(
      2,
      [&](Index) {
        if (std::this_thread::get_id() == caller) {
          others_work.wait(false);  // so that not both items are the caller's
        } else {
          others_work = true;
          others_work.notify_all();
          looked.wait(false);  // which ends only when the caller looks
        }
      },
      [&] {
        EXPECT_EQ(std::this_thread::get_id(), caller);
        looked = true;
        looked.notify_all();
      });
  EXPECT_TRUE(looked);
}

TEST(Threads, ZeroMeansAtLeastOne) {
  EXPECT_GE(Threads{}.resolved(), 1);
  EXPECT_EQ(Threads{3}.resolved(), 3);
}

TEST(Threads, AreAtMostAsManyAsThereIsWorkFor) {
  EXPECT_EQ(Threads{4}.at_most(100).count, 4);
  EXPECT_EQ(Threads{4}.at_most(3).count, 3);
  EXPECT_EQ(Threads{4}.at_most(0).count, 1);
  EXPECT_EQ(Threads{}.at_most(1).count, 1);
  EXPECT_EQ(Threads{}.at_most(1000).count, Threads{}.resolved());
}

}  // namespace
}  // namespace mugrad

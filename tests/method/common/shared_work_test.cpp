// SPDX-License-Identifier: MIT
#include "method/common/shared_work.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

namespace mugrad {
namespace {

/// Counts calls, all of which must come from the thread that made it, and refuses from one on.
class Caller final : public Progress {
 public:
  explicit Caller(int refused_from) : left_(refused_from) {}
  bool update(double share) override {
    EXPECT_EQ(std::this_thread::get_id(), thread_);
    EXPECT_GE(share, last);
    last = share;
    return --left_ > 0;
  }
  double last = 0;

 private:
  std::thread::id thread_ = std::this_thread::get_id();
  int left_;
};

constexpr int kNever = 1'000'000'000;

TEST(SharedWork, EveryPieceIsDoneOnceAndSharesAreByCost) {
  for (const int threads : {1, 2, 5}) {
    Caller caller(kNever);
    Stages stages(&caller);
    ThreadPool pool({threads});
    SharedWork work(stages, {3, 0.5, 0.5});
    std::atomic<int> times[3] = {};
    work.run(pool, [&] {
      while (const auto piece = work.next()) {
        ++times[*piece];
        work.finish(*piece);
      }
    });
    for (const auto& count : times) EXPECT_EQ(count, 1);
    EXPECT_TRUE(work.goes_on());
    EXPECT_EQ(caller.last, 1);
  }
}

TEST(SharedWork, WithMoreThreadsThanPiecesTheCallerStillAsksWhetherToStop) {
  for (const int threads : {1, 2, 8}) {
    Caller caller(5);
    Stages stages(&caller);
    ThreadPool pool({threads});
    SharedWork work(stages, {1});
    const auto run = [&] {
      work.run(pool, [&] {
        // A piece that ends only when it is stopped, whichever thread has it.
        while (work.next()) {
          while (true) advance(&work, 0);
        }
      });
    };
    EXPECT_THROW(run(), InterruptedError);
  }
}

TEST(SharedWork, FailureOfOnePieceEndsTheOthersAndIsWhatIsThrown) {
  for (const int threads : {1, 4}) {
    Stages stages(nullptr);
    ThreadPool pool({threads});
    SharedWork work(stages, std::vector<double>(100, 1));
    const auto run = [&] {
      work.run(pool, [&] {
        while (const auto piece = work.next()) {
          if (*piece == 0) throw std::runtime_error("the first");
          while (true) advance(&work, 0);
        }
      });
    };
    EXPECT_THAT(run, ::testing::ThrowsMessage<std::runtime_error>("the first"));
  }
}

}  // namespace
}  // namespace mugrad

// SPDX-License-Identifier: MIT
#include "cli/process.h"

#include <mugrad/core/error.h>

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdlib>

// Each case runs in a process of its own, since what signals do belongs to the process.
namespace mugrad::cli {
namespace {

using ::testing::ExitedWithCode;

constexpr int kInterrupted = 130, kTerminated = 143;

TEST(Interrupts, EndTheProgramAtOnceWhereNoWorkCooperates) {
  const auto end_by = [](int number) {
    handle_interrupts();
    { const CooperativeInterrupts over; }
    raise(number);
  };
  EXPECT_EXIT(end_by(SIGINT), ExitedWithCode(kInterrupted), "no file is half-written");
  EXPECT_EXIT(end_by(SIGTERM), ExitedWithCode(kTerminated), "no file is half-written");
}

TEST(Interrupts, AreRememberedWhileWorkCooperates) {
  const auto work = [] {
    handle_interrupts();
    const CooperativeInterrupts cooperative;
    stop_if_interrupted();
    raise(SIGINT);
    try {
      stop_if_interrupted();
    } catch (const InterruptedError&) {
      _exit(interrupted() ? 7 : 8);
    }
    _exit(9);
  };
  EXPECT_EXIT(work(), ExitedWithCode(7), "");
}

TEST(Interrupts, EndTheProgramWhenAnotherComes) {
  const auto work = [] {
    handle_interrupts();
    const CooperativeInterrupts cooperative;
    raise(SIGINT);
    raise(SIGTERM);
  };
  EXPECT_EXIT(work(), ExitedWithCode(kTerminated), "no file is half-written");
}

/// The clock is set to ring within a second, and this process rings it itself.
TEST(Interrupts, EndTheProgramWithinASecondWhenWorkDoesNotLook) {
  const auto work = [] {
    handle_interrupts();
    const CooperativeInterrupts cooperative;
    raise(SIGTERM);
    itimerval left = {};
    getitimer(ITIMER_REAL, &left);
    const bool rings = left.it_value.tv_sec == 0 && left.it_value.tv_usec > 0;
    if (!rings) _exit(9);
    raise(SIGALRM);
  };
  EXPECT_EXIT(work(), ExitedWithCode(kTerminated), "no file is half-written");
}

TEST(Interrupts, SetNoClockBeforeTheyCome) {
  const auto work = [] {
    handle_interrupts();
    const CooperativeInterrupts cooperative;
    itimerval left = {};
    getitimer(ITIMER_REAL, &left);
    _exit(left.it_value.tv_sec == 0 && left.it_value.tv_usec == 0 ? 7 : 9);
  };
  EXPECT_EXIT(work(), ExitedWithCode(7), "");
}

}  // namespace
}  // namespace mugrad::cli

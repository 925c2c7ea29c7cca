// SPDX-License-Identifier: MIT
#include "process.h"

#include <mugrad/core/error.h>

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <string_view>

namespace mugrad::cli {
namespace {

std::atomic<bool> cooperative = false;
std::atomic<int> requested = 0;  ///< the first signal
static_assert(std::atomic<int>::is_always_lock_free, "set in a signal handler");
static_assert(CooperativeInterrupts::kGrace < std::chrono::seconds(1));

[[noreturn]] void end_at_once(int number) {
  constexpr std::string_view kMessage = "\nmugrad: interrupted; no file is half-written\n";
  signal(SIGPIPE, SIG_IGN);  // the exit code is the same if nobody reads the message
  (void)!write(STDERR_FILENO, kMessage.data(), kMessage.size());
  _exit(128 + number);
}

void on_signal(int number) {
  int none = 0;
  if (!cooperative || !requested.compare_exchange_strong(none, number)) end_at_once(number);
  // Not async-signal-safe by POSIX, but by glibc: it is a plain system call.
  constexpr auto kMicroseconds = std::chrono::microseconds(CooperativeInterrupts::kGrace).count();
  const itimerval once = {.it_interval = {}, .it_value = {.tv_sec = 0, .tv_usec = kMicroseconds}};
  setitimer(ITIMER_REAL, &once, nullptr);
}

void on_end_of_grace(int number) { end_at_once(interrupted() ? requested.load() : number); }

void handle(int number, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(number, &action, nullptr);
}

}  // namespace

void handle_interrupts() {
  handle(SIGALRM, on_end_of_grace);
  handle(SIGINT, on_signal);
  handle(SIGTERM, on_signal);
}

CooperativeInterrupts::CooperativeInterrupts() { cooperative = true; }
CooperativeInterrupts::~CooperativeInterrupts() { cooperative = false; }

bool interrupted() { return requested != 0; }

int interrupted_exit_code() { return 128 + (interrupted() ? requested.load() : SIGINT); }

void stop_if_interrupted() {
  if (interrupted()) throw InterruptedError("the work was interrupted");
}

}  // namespace mugrad::cli

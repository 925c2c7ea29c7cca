// SPDX-License-Identifier: MIT
#include "interrupt.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <string_view>

namespace mugrad::cli {
namespace {

std::atomic<bool> cooperative = false;
std::atomic<bool> requested = false;
static_assert(std::atomic<bool>::is_always_lock_free, "set in a signal handler");

void on_signal(int number) {
  if (cooperative && !requested.exchange(true)) return;
  constexpr std::string_view kMessage = "\nmugrad: interrupted; no file is half-written\n";
  signal(SIGPIPE, SIG_IGN);  // the exit code is the same where nobody reads the message
  (void)!write(STDERR_FILENO, kMessage.data(), kMessage.size());
  _exit(128 + number);  // as a shell counts: 130 for Ctrl-C
}

}  // namespace

void handle_interrupts() {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

CooperativeInterrupts::CooperativeInterrupts() { cooperative = true; }
CooperativeInterrupts::~CooperativeInterrupts() { cooperative = false; }

bool interrupted() { return requested; }

}  // namespace mugrad::cli

// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/progress.h>

#include <chrono>

namespace mugrad::cli {

/// Takes over Ctrl-C and SIGTERM: by default the program ends at once, with a message and exit
/// code 130 or 143. No file is half-written then: files get their names only when they are whole.
void handle_interrupts();

/// While one exists, Ctrl-C and SIGTERM are only remembered, for interrupted() to tell: the work in
/// progress has kGrace to end in its own way. After that, or when another signal comes, the program
/// ends at once.
class CooperativeInterrupts {
 public:
  static constexpr std::chrono::milliseconds kGrace{800};

  CooperativeInterrupts();
  ~CooperativeInterrupts();
  CooperativeInterrupts(const CooperativeInterrupts&) = delete;
  CooperativeInterrupts& operator=(const CooperativeInterrupts&) = delete;
};

bool interrupted();
/// What a shell expects of a program that a signal ended: 130 after Ctrl-C, 143 after SIGTERM.
int interrupted_exit_code();
/// Throws InterruptedError when interrupted().
void stop_if_interrupted();

/// Ends work when interrupted(), and shows nothing.
class SilentProgress final : public Progress {
 public:
  bool update(double /*share*/) override { return !interrupted(); }
};

}  // namespace mugrad::cli

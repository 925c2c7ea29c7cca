// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/progress.h>

#include <chrono>
#include <string_view>

namespace mugrad::cli {

constexpr int kFailed = 1;
constexpr int kWrongCall = 2;

/// Whether an allocation has ever failed, even if its caller recovered.
bool has_run_out_of_memory() noexcept;

/// Occupies the descriptors 0 to 2 if they are closed, so that no file opened later gets one of
/// them and has messages or results written into it. Reading from and writing to a closed stream
/// fails as before. Call it before anything else.
void take_standard_streams() noexcept;

/// Writes a message to standard error unchanged. A message that cannot be written is dropped,
/// without an exception or SIGPIPE.
void write_message(std::string_view text) noexcept;

/// Writes a part of the result to standard output immediately. Throws InputError on failure. Waits
/// for a slow reader, even if the stream is non-blocking. A reader that has closed its end of a
/// pipe ends the program by SIGPIPE, as for other tools.
void write_result(std::string_view text);
/// Throws InputError if standard output reports at the end that it could not store the result.
void finish_result();

/// Handles Ctrl-C and SIGTERM: by default the program ends immediately, with a message and exit
/// code 130 or 143. No file is left half-written: files get their names only when they are
/// complete.
void handle_interrupts();

/// While one exists, Ctrl-C and SIGTERM are only recorded for interrupted(): the work in progress
/// has kGrace to end by itself. After that, or at another signal, the program ends immediately.
class CooperativeInterrupts {
 public:
  static constexpr std::chrono::milliseconds kGrace{800};

  CooperativeInterrupts();
  ~CooperativeInterrupts();
  CooperativeInterrupts(const CooperativeInterrupts&) = delete;
  CooperativeInterrupts& operator=(const CooperativeInterrupts&) = delete;
};

bool interrupted();
/// The exit code that shells expect after a signal: 130 for Ctrl-C, 143 for SIGTERM.
int interrupted_exit_code();
/// Throws InterruptedError if interrupted().
void stop_if_interrupted();

/// Stops work if interrupted(), and shows nothing.
class SilentProgress final : public Progress {
 public:
  bool update(double /*share*/) override { return !interrupted(); }
};

}  // namespace mugrad::cli

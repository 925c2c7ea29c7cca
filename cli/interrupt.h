// SPDX-License-Identifier: MIT
#pragma once

namespace mugrad::cli {

/// Takes over Ctrl-C and SIGTERM: by default the program ends at once, with a message and exit
/// code 130 or 143. No file is half-written then: files get their names only when they are whole.
void handle_interrupts();

/// While one exists, Ctrl-C is only remembered, for interrupted() to tell: the work in progress
/// ends in its own way. A second Ctrl-C ends the program at once.
class CooperativeInterrupts {
 public:
  CooperativeInterrupts();
  ~CooperativeInterrupts();
  CooperativeInterrupts(const CooperativeInterrupts&) = delete;
  CooperativeInterrupts& operator=(const CooperativeInterrupts&) = delete;
};

bool interrupted();

}  // namespace mugrad::cli

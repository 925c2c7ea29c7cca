// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace mugrad {

/// Watches over memory that a file is mapped to. Reading a page that the file no longer has, or
/// that its disk cannot deliver, sends SIGBUS, which ends the process. While a guard exists the
/// rest of the mapping becomes zeros instead, and has_lost() tells.
///
/// For that the first guard installs a handler of SIGBUS, which stays. It passes every SIGBUS of
/// other causes on to the handler that was there before. A handler that someone installs later
/// comes first, and may call ours; where it does not, guards watch over nothing.
class MappingGuard {
 public:
  /// Requires: [begin, begin + size) is mapped, and begin is the start of a page.
  MappingGuard(const char* begin, std::size_t size);
  ~MappingGuard();
  MappingGuard(const MappingGuard&) = delete;
  MappingGuard& operator=(const MappingGuard&) = delete;

  /// False when there are too many guards: this one watches over nothing.
  bool is_watching() const noexcept { return slot_ != nullptr; }
  bool has_lost() const noexcept;

 private:
  struct Slot;
  friend struct Slots;
  Slot* slot_ = nullptr;
};

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace mugrad {

/// Guards a memory-mapped file. Reading a page that the file no longer has, or that its disk cannot
/// deliver, sends SIGBUS, which ends the process. While a guard exists, the rest of the mapping is
/// replaced by zeros instead, and has_lost() returns true.
///
/// The first guard installs a permanent handler of SIGBUS, which forwards every SIGBUS of other
/// causes to the previous handler. A handler installed later by others runs first and may call
/// ours; if it does not, guards have no effect.
class MappingGuard {
 public:
  /// Requires: [begin, begin + size) is mapped, and begin is the start of a page.
  MappingGuard(const char* begin, std::size_t size);
  ~MappingGuard();
  MappingGuard(const MappingGuard&) = delete;
  MappingGuard& operator=(const MappingGuard&) = delete;

  /// False if there are too many guards: this one has no effect.
  bool is_watching() const noexcept { return slot_ != nullptr; }
  bool has_lost() const noexcept;

 private:
  struct Slot;
  friend struct Slots;
  Slot* slot_ = nullptr;
};

}  // namespace mugrad

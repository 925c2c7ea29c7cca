// SPDX-License-Identifier: MIT
#include "core/mapping_guard.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <mutex>

namespace mugrad {

/// State read by the signal handler, where locks are not possible: `changes` is odd while the
/// others change, and different after a change.
struct MappingGuard::Slot {
  std::atomic<std::uint64_t> changes = 0;
  std::atomic<std::uintptr_t> begin = 0;  ///< 0: not in use
  std::atomic<std::uintptr_t> end = 0;
  std::atomic<bool> has_lost = false;

  void set(std::uintptr_t new_begin, std::uintptr_t new_end) noexcept {
    ++changes;
    begin = new_begin;
    end = new_end;
    ++changes;
  }
  /// The end of the mapping that contains this address; 0: it does not, or is not in use.
  std::uintptr_t end_around(std::uintptr_t at) const noexcept {
    const auto before = changes.load();
    const auto from = begin.load();
    const auto to = end.load();
    const bool is_whole = before % 2 == 0 && changes.load() == before;
    return is_whole && from != 0 && from <= at && at < to ? to : 0;
  }
};

struct Slots {
  std::array<MappingGuard::Slot, 256> all;
  std::mutex mutex;
  bool is_watched = false;
  struct sigaction before = {};
  std::uintptr_t page = 4096;
};

namespace {

static_assert(std::atomic<std::uintptr_t>::is_always_lock_free, "read in a signal handler");
static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "read in a signal handler");

Slots slots;

/// Whether a fault of this thread, not another process, sent the signal.
bool is_fault(const siginfo_t& info) noexcept { return info.si_code > 0; }

void pass_on(int number, siginfo_t* info, void* context) {
  const struct sigaction& before = slots.before;
  if ((before.sa_flags & SA_SIGINFO) != 0) return before.sa_sigaction(number, info, context);
  if (before.sa_handler == SIG_IGN && !is_fault(*info)) return;
  if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
    return before.sa_handler(number);
  }
  // The signal recurs when this handler returns, and then ends the process as usual.
  signal(number, SIG_DFL);
  raise(number);
}

/// Replaces the rest of the mapping with this address by zeros. Returns false if there is none.
bool replace_lost(void* address) noexcept {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  for (auto& slot : slots.all) {
    const auto end = slot.end_around(at);
    if (end == 0) continue;
    const auto into_page = at % slots.page;
    const void* zeros =
        mmap(static_cast<char*>(address) - into_page, end - at + into_page, PROT_READ,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
    if (zeros == MAP_FAILED) return false;
    slot.has_lost = true;
    return true;
  }
  return false;
}

void on_bus_error(int number, siginfo_t* info, void* context) {
  const int error = errno;
  if (!is_fault(*info) || !replace_lost(info->si_addr)) pass_on(number, info, context);
  errno = error;
}

void watch_bus_errors() {
  slots.page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  struct sigaction action = {};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, &slots.before);
  slots.is_watched = true;
}

}  // namespace

MappingGuard::MappingGuard(const char* begin, std::size_t size) {
  const std::lock_guard lock(slots.mutex);
  if (!slots.is_watched) watch_bus_errors();
  for (auto& slot : slots.all) {
    if (slot.begin != 0) continue;
    slot.has_lost = false;
    slot.set(reinterpret_cast<std::uintptr_t>(begin),
             reinterpret_cast<std::uintptr_t>(begin) + size);
    slot_ = &slot;
    return;
  }
}

MappingGuard::~MappingGuard() {
  if (slot_ == nullptr) return;
  const std::lock_guard lock(slots.mutex);
  slot_->set(0, 0);
}

bool MappingGuard::has_lost() const noexcept { return slot_ != nullptr && slot_->has_lost; }

}  // namespace mugrad

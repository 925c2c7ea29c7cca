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

/// What the signal handler looks at: no lock protects it.
struct MappingGuard::Slot {
  std::atomic<std::uintptr_t> begin = 0;  ///< 0: not in use
  std::atomic<std::uintptr_t> end = 0;
  std::atomic<bool> has_lost = false;
};

struct Slots {
  std::array<MappingGuard::Slot, 256> all;
  std::mutex mutex;
  int in_use = 0;
  struct sigaction before = {};
  std::uintptr_t page = 4096;
};

namespace {

static_assert(std::atomic<std::uintptr_t>::is_always_lock_free, "read in a signal handler");

Slots slots;

void pass_on(int number, siginfo_t* info, void* context) {
  const struct sigaction& before = slots.before;
  if ((before.sa_flags & SA_SIGINFO) != 0) return before.sa_sigaction(number, info, context);
  if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
    return before.sa_handler(number);
  }
  // Comes again when this handler returns, and ends the process as it would have.
  signal(number, SIG_DFL);
  raise(number);
}

void on_bus_error(int number, siginfo_t* info, void* context) {
  const int error = errno;
  const auto at = reinterpret_cast<std::uintptr_t>(info->si_addr);
  for (auto& slot : slots.all) {
    const auto begin = slot.begin.load();
    const auto end = slot.end.load();
    if (begin == 0 || at < begin || at >= end) continue;
    const auto into_page = at % slots.page;
    const void* zeros =
        mmap(static_cast<char*>(info->si_addr) - into_page, end - at + into_page, PROT_READ,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
    if (zeros == MAP_FAILED) break;
    slot.has_lost = true;
    errno = error;
    return;
  }
  pass_on(number, info, context);
}

void take_over_bus_errors() {
  slots.page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  struct sigaction action = {};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, &slots.before);
}

/// Unless someone else has taken over since.
void give_back_bus_errors() {
  struct sigaction now = {};
  sigaction(SIGBUS, nullptr, &now);
  const bool is_ours = (now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == on_bus_error;
  if (is_ours) sigaction(SIGBUS, &slots.before, nullptr);
}

}  // namespace

MappingGuard::MappingGuard(const char* begin, std::size_t size) {
  const std::lock_guard lock(slots.mutex);
  for (auto& slot : slots.all) {
    if (slot.begin != 0) continue;
    if (slots.in_use++ == 0) take_over_bus_errors();
    slot.has_lost = false;
    slot.end = reinterpret_cast<std::uintptr_t>(begin) + size;
    slot.begin = reinterpret_cast<std::uintptr_t>(begin);
    slot_ = &slot;
    return;
  }
}

MappingGuard::~MappingGuard() {
  if (slot_ == nullptr) return;
  const std::lock_guard lock(slots.mutex);
  slot_->begin = 0;
  if (--slots.in_use == 0) give_back_bus_errors();
}

bool MappingGuard::has_lost() const noexcept { return slot_ != nullptr && slot_->has_lost; }

}  // namespace mugrad

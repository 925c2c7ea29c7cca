// SPDX-License-Identifier: MIT
#include "linalg/dense/workspace.h"

#include "linalg/dense/openblas.h"

#ifdef MUGRAD_OWN_OPENBLAS

#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <new>
#include <utility>

// NOLINTBEGIN(readability-identifier-naming): OpenBLAS's names
extern "C" {
void* blas_memory_alloc_nolock(int unused);
void* __wrap_blas_memory_alloc(int caller);
void __wrap_blas_memory_free(void* memory);
void* __wrap_malloc(std::size_t size);
}
// NOLINTEND(readability-identifier-naming)

namespace mugrad::blas {
namespace {

/// Unused memory, in a linked list through the memory itself.
class Pool {
 public:
  void* take() {
    std::unique_lock lock(mutex_);
    if (unused_ == nullptr) {
      if (void* const made = make()) {
        has_some_ = true;
        return made;
      }
      if (!has_some_) throw std::bad_alloc();
      given_back_.wait(lock, [this] { return unused_ != nullptr; });
    }
    return std::exchange(unused_, unused_->next);
  }

  void give_back(void* memory) noexcept {
    const std::lock_guard lock(mutex_);
    unused_ = new (memory) Unused{unused_};
    given_back_.notify_one();
  }

 private:
  struct Unused {
    Unused* next;
  };

  /// Kernels need whole pages; OpenBLAS allocates one page more than they need.
  static void* make() noexcept {
    constexpr std::uintptr_t kPage = 4096;
    auto* const memory = static_cast<char*>(blas_memory_alloc_nolock(0));
    if (memory == nullptr) return nullptr;
    return memory + (kPage - reinterpret_cast<std::uintptr_t>(memory) % kPage) % kPage;
  }

  std::mutex mutex_;
  std::condition_variable given_back_;
  Unused* unused_ = nullptr;
  bool has_some_ = false;
};

/// Never destroyed: a thread may still compute while the process ends.
Pool& pool() {
  static Pool& pool = *new Pool;
  return pool;
}

thread_local void* of_this_thread = nullptr;
thread_local bool is_in_use = false;

/// Two calls with the same scratch memory would silently give wrong results.
void require(bool holds) noexcept {
  if (!holds) std::abort();
}

}  // namespace

Workspace::Workspace() {
  require(of_this_thread == nullptr);
  of_this_thread = pool().take();
}

Workspace::~Workspace() {
  is_in_use = false;  // in case an exception ended the call
  pool().give_back(std::exchange(of_this_thread, nullptr));
}

}  // namespace mugrad::blas

void* __wrap_blas_memory_alloc(int) {
  using namespace mugrad::blas;
  require(of_this_thread != nullptr && !is_in_use);
  is_in_use = true;
  return of_this_thread;
}

void __wrap_blas_memory_free(void* memory) {
  using namespace mugrad::blas;
  require(memory == of_this_thread && is_in_use);
  is_in_use = false;
}

/// Kernels for small matrices allocate memory and do not check for failure.
void* __wrap_malloc(std::size_t size) {
  void* const memory = std::malloc(size);
  if (memory == nullptr && mugrad::blas::of_this_thread != nullptr) throw std::bad_alloc();
  return memory;
}

#else

namespace mugrad::blas {

Workspace::Workspace() {
  [[maybe_unused]] static const bool once = [] {
    openblas_set_num_threads(1);
    return true;
  }();
}

Workspace::~Workspace() = default;

}  // namespace mugrad::blas

#endif

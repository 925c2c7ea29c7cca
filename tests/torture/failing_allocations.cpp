// SPDX-License-Identifier: MIT
// Preloaded into the program (LD_PRELOAD), makes one of its requests for memory or for a thread
// fail, or that one and all that follow. Requests count from where the program itself starts, its
// static objects included; those of the dynamic linker and of libraries that start before it do
// not.
//
//   TORTURE_FAIL_AT    number of the request that fails, from 1 on; 0 or unset: none
//   TORTURE_FAIL_ALL   set: all that follow fail as well
//   TORTURE_REPORT     descriptor of a pipe that is told 'F' when a request first fails, and at
//                      the end of the program how many requests there were
#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>

extern "C" {

// glibc's own functions under other names: what is defined below hides the usual ones.
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

using Main = int (*)(int, char**, char**);
using StartMain = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
}

namespace {

std::atomic<long> requests{0};
std::atomic<bool> is_counting{false};
long fail_at = 0;
bool fails_ever_after = false;
int report = -1;

long number_in(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? 0 : std::atol(text);
}

/// Counts a request; whether it is to fail.
bool fails() {
  if (!is_counting.load(std::memory_order_relaxed)) return false;
  const long number = requests.fetch_add(1, std::memory_order_relaxed) + 1;
  const bool is_first = number == fail_at;
  if (is_first && report >= 0) (void)!write(report, "F", 1);
  return is_first || (fails_ever_after && fail_at > 0 && number > fail_at);
}

void say_count() {
  if (report < 0) return;
  // By hand: printf may allocate.
  char text[24];
  std::size_t at = sizeof text;
  text[--at] = '\n';
  for (long left = requests.load(); at > 1; left /= 10) {
    text[--at] = static_cast<char>('0' + left % 10);
    if (left < 10) break;
  }
  text[--at] = ' ';
  (void)!write(report, text + at, sizeof text - at);
}

struct AtEnd {
  ~AtEnd() { say_count(); }
} at_end;

void* no_memory() {
  errno = ENOMEM;
  return nullptr;
}

}  // namespace

extern "C" {

void* malloc(std::size_t size) { return fails() ? no_memory() : __libc_malloc(size); }

void* calloc(std::size_t count, std::size_t size) {
  return fails() ? no_memory() : __libc_calloc(count, size);
}

void* realloc(void* block, std::size_t size) {
  return fails() ? no_memory() : __libc_realloc(block, size);
}

void* memalign(std::size_t alignment, std::size_t size) {
  return fails() ? no_memory() : __libc_memalign(alignment, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) { return memalign(alignment, size); }

int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  void* const found = memalign(alignment, size);
  if (found == nullptr) return ENOMEM;
  *block = found;
  return 0;
}

void* mmap(void* address, std::size_t size, int protection, int flags, int file, off_t offset) {
  using Map = void* (*)(void*, std::size_t, int, int, int, off_t);
  static const auto real = reinterpret_cast<Map>(dlsym(RTLD_NEXT, "mmap"));
  if (fails()) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return real(address, size, protection, flags, file, offset);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) {
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto real = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  return fails() ? EAGAIN : real(thread, attributes, start, argument);
}

int __libc_start_main(Main main, int argc, char** argv, void (*init)(), void (*fini)(),
                      void (*rtld_fini)(), void* stack_end) {
  const auto real = reinterpret_cast<StartMain>(dlsym(RTLD_NEXT, "__libc_start_main"));
  fail_at = number_in("TORTURE_FAIL_AT");
  fails_ever_after = std::getenv("TORTURE_FAIL_ALL") != nullptr;
  if (std::getenv("TORTURE_REPORT") != nullptr) {
    report = static_cast<int>(number_in("TORTURE_REPORT"));
  }
  is_counting = true;
  return real(main, argc, argv, init, fini, rtld_fini, stack_end);
}
}

// SPDX-License-Identifier: MIT
#include "allocations/counting.h"

#include <malloc.h>

#include <cstdlib>
#include <new>

namespace mugrad::testing {

std::atomic<long> allocations = 0;
std::atomic<std::size_t> largest = 0;
std::atomic<std::size_t> held = 0;
std::atomic<std::size_t> most_held = 0;
std::atomic<long> failing = -1;

namespace {

void* counted(std::size_t size, void* memory) {
  if (size > largest) largest = size;
  if (allocations++ == failing) {
    std::free(memory);
    memory = nullptr;
  }
  if (memory == nullptr) throw std::bad_alloc();
  const std::size_t now = held += malloc_usable_size(memory);
  std::size_t most = most_held;
  while (now > most && !most_held.compare_exchange_weak(most, now)) continue;
  return memory;
}

void given_back(void* memory) noexcept {
  held -= malloc_usable_size(memory);
  std::free(memory);
}

}  // namespace
}  // namespace mugrad::testing

void* operator new(std::size_t size) {
  return mugrad::testing::counted(size, std::malloc(size == 0 ? 1 : size));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto to = static_cast<std::size_t>(alignment);
  return mugrad::testing::counted(size, std::aligned_alloc(to, (size + to) / to * to));
}
void operator delete(void* memory) noexcept { mugrad::testing::given_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { mugrad::testing::given_back(memory); }
void operator delete(void* memory, std::align_val_t) noexcept {
  mugrad::testing::given_back(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  mugrad::testing::given_back(memory);
}

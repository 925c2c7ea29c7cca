// SPDX-License-Identifier: MIT
// Ends the program cleanly if memory runs out and no exception can report it.
#include "process.h"

#include <cxxabi.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <exception>
#include <new>
#include <typeinfo>

namespace mugrad::cli {
namespace {

std::terminate_handler previous = nullptr;

std::atomic<bool> has_failed = false;  ///< an allocation

/// Does what happens by default, and records it.
void note_failure() {
  has_failed = true;
  throw std::bad_alloc();
}

/// std::terminate does not know the type of an exception that leaves a noexcept function, and
/// without memory for an exception it is called without one.
bool is_out_of_memory() noexcept {
  const std::type_info* const thrown = abi::__cxa_current_exception_type();
  if (thrown == nullptr) return has_failed || std::malloc(1) == nullptr;
  return *thrown == typeid(std::bad_alloc) || *thrown == typeid(std::bad_array_new_length);
}

/// For failures that no handler sees: before main, and in noexcept functions that allocate anyway,
/// as some of CLI11 and of the JSON library do. Files get their names when they are complete, so
/// none is left half-written; the next run removes hidden ones.
[[noreturn]] void end_program() noexcept {
  if (is_out_of_memory()) {
    write_message("mugrad: out of memory\n");
    _exit(kFailed);
  }
  if (previous != nullptr) previous();
  std::abort();
}

/// Runs before the static objects of the program, which allocate.
[[gnu::constructor(101)]] void watch() {
  std::set_new_handler(note_failure);
  previous = std::set_terminate(end_program);
}

}  // namespace

bool has_run_out_of_memory() noexcept { return has_failed; }

}  // namespace mugrad::cli

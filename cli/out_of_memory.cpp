// SPDX-License-Identifier: MIT
// Ends the program in order where memory runs out and no exception can say so.
#include "out_of_memory.h"

#include "exit_codes.h"
#include "streams.h"

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

std::atomic<bool> has_failed = false;  ///< a request for memory

/// Does what happens without it, and remembers.
void note_failure() {
  has_failed = true;
  throw std::bad_alloc();
}

/// Of an exception that leaves a function which may not throw, std::terminate does not know the
/// type; and without memory for an exception it is called with none.
bool is_out_of_memory() noexcept {
  const std::type_info* const thrown = abi::__cxa_current_exception_type();
  if (thrown == nullptr) return has_failed || std::malloc(1) == nullptr;
  return *thrown == typeid(std::bad_alloc) || *thrown == typeid(std::bad_array_new_length);
}

/// Where no handler is reached: before main, and in functions that may not throw and allocate all
/// the same, as some of CLI11's and of the JSON library's do. Files get their names when they are
/// whole, so that ending here leaves none half-written; the next run removes hidden ones.
[[noreturn]] void end_program() noexcept {
  if (is_out_of_memory()) {
    write_message("mugrad: out of memory\n");
    _exit(kFailed);
  }
  if (previous != nullptr) previous();
  std::abort();
}

/// Before the static objects of the program, which allocate.
[[gnu::constructor(101)]] void watch() {
  std::set_new_handler(note_failure);
  previous = std::set_terminate(end_program);
}

}  // namespace

bool has_run_out_of_memory() noexcept { return has_failed; }

}  // namespace mugrad::cli

// SPDX-License-Identifier: MIT
// Ends the program in order where memory runs out and no exception can say so.
#include "exit_codes.h"
#include "streams.h"

#include <cxxabi.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <new>
#include <typeinfo>

namespace mugrad::cli {
namespace {

std::terminate_handler previous = nullptr;

/// Without memory for an exception, std::terminate is called with none.
bool is_out_of_memory() noexcept {
  const std::type_info* const thrown = abi::__cxa_current_exception_type();
  if (thrown == nullptr) return std::malloc(1) == nullptr;
  return *thrown == typeid(std::bad_alloc) || *thrown == typeid(std::bad_array_new_length);
}

/// Where no handler is reached: before main, and in functions that may not throw and allocate all
/// the same, as some of CLI11's and of the JSON library's do. Files get their names when they are
/// whole, so that ending here leaves none half-written.
[[noreturn]] void end_program() noexcept {
  if (is_out_of_memory()) {
    write_message("mugrad: out of memory\n");
    _exit(kFailed);
  }
  if (previous != nullptr) previous();
  std::abort();
}

/// Before the static objects of the program, which allocate.
[[gnu::constructor(101)]] void watch_terminate() { previous = std::set_terminate(end_program); }

}  // namespace
}  // namespace mugrad::cli

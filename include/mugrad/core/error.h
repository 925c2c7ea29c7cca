// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>

namespace mugrad {

/// Base class of all errors that the library throws on purpose. what() is one sentence for a
/// person: where the error is, what it is, and what was expected.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A file or its data are invalid, or the file could not be read or written.
class InputError : public Error {
 public:
  using Error::Error;
};

/// The call was wrong: an option is out of range, or options contradict each other.
class UsageError : public Error {
 public:
  using Error::Error;
};

/// The iteration overflowed or moved away from its equilibrium; there is no model.
class DivergenceError : public Error {
 public:
  using Error::Error;
};

/// A Progress asked to stop before the work was done.
class InterruptedError : public Error {
 public:
  using Error::Error;
};

}  // namespace mugrad

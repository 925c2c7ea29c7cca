// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>

namespace mugrad {

/// Everything the library throws on purpose. what() is one sentence for a person: where, what,
/// and what was expected.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A file or the data in it is not as it must be, or could not be read or written.
class InputError : public Error {
 public:
  using Error::Error;
};

/// The call was wrong: an option out of range, options that contradict each other.
class UsageError : public Error {
 public:
  using Error::Error;
};

/// The iteration left the finite numbers or moved away from its equilibrium; there is no model.
class DivergenceError : public Error {
 public:
  using Error::Error;
};

/// An progress asked to stop before the work was done.
class InterruptedError : public Error {
 public:
  using Error::Error;
};

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>

namespace mugrad::python {

/// BLAS keeps to one thread while there is one of these, as the library wants it: it has threads of
/// its own. NumPy may use the same BLAS and gets its threads back with the last.
class OneBlasThread {
 public:
  OneBlasThread();
  ~OneBlasThread();
  OneBlasThread(const OneBlasThread&) = delete;
  OneBlasThread& operator=(const OneBlasThread&) = delete;
};

/// In its scope the library works and Python need not wait: the interpreter's lock is released.
class Unlocked {
 private:
  OneBlasThread blas_;
  pybind11::gil_scoped_release released_;
};

}  // namespace mugrad::python

// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>

namespace mugrad::python {

/// Where the library shares its OpenBLAS with NumPy, it keeps to one thread while there is one of
/// these, as the library wants it: it has threads of its own. NumPy gets its threads back with the
/// last. Nothing otherwise.
class OneBlasThread {
 public:
  OneBlasThread();
  ~OneBlasThread();
  OneBlasThread(const OneBlasThread&) = delete;
  OneBlasThread& operator=(const OneBlasThread&) = delete;
};

/// Whether the library shares its OpenBLAS with the rest of the process.
#ifdef MUGRAD_SHARES_OPENBLAS
inline constexpr bool kSharesOpenblas = true;
#else
inline constexpr bool kSharesOpenblas = false;
#endif

/// In its scope the library works and Python need not wait: the interpreter's lock is released.
class Unlocked {
 private:
  OneBlasThread blas_;
  pybind11::gil_scoped_release released_;
};

}  // namespace mugrad::python

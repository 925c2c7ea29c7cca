// SPDX-License-Identifier: MIT
#pragma once

namespace mugrad::blas {

/// Scratch memory for OpenBLAS on this thread; every function that calls OpenBLAS holds one. Throws
/// std::bad_alloc if there is no memory for it; if only other threads' memory is left, waits for
/// it. A call of OpenBLAS also throws it if a kernel cannot allocate its own memory. Without this,
/// OpenBLAS would retry forever, and serial builds could give the same memory to two threads at
/// once.
///
/// If OpenBLAS is shared with the rest of the process, it manages its own scratch memory and is
/// limited to one thread instead: more would make sums depend on the number of cores.
class Workspace {
 public:
  Workspace();
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
};

}  // namespace mugrad::blas

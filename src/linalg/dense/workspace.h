// SPDX-License-Identifier: MIT
#pragma once

namespace mugrad::blas {

/// Scratch memory for calls of OpenBLAS on this thread; every function that calls it holds one
/// meanwhile. Throws std::bad_alloc where there is no memory for it; where there is for other
/// threads' only, waits for theirs. A call of OpenBLAS throws it too, where a kernel that asks for
/// memory of its own gets none. OpenBLAS itself would ask for memory for ever, and in serial
/// builds give the same to two threads that ask at the same moment.
///
/// Where OpenBLAS is shared with the rest of the process, it manages its own scratch memory and is
/// limited to one thread instead: more would make sums depend on the number of cores.
class Workspace {
 public:
  Workspace();
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
};

}  // namespace mugrad::blas

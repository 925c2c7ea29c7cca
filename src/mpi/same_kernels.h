// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/communicator.h"

#include <string_view>

namespace mugrad::mpi {

/// Ranks that share rows decide the same from the same numbers, to the last bit, or wait for each
/// other forever. Throws UsageError on all of them when their kernels, as named by `mine`, are not
/// the same. Every rank of `rows` must call it.
void check_same_kernels(const Communicator& rows, std::string_view mine);

}  // namespace mugrad::mpi

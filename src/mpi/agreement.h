// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/communicator.h"

#include <mugrad/data/dataset.h>

#include <cstdint>
#include <string_view>

namespace mugrad::mpi {

/// A hash of rows: their features, labels and unknown labels. Hashes of rows are added, so the
/// order of rows does not matter, and sums over parts are those of the whole. Zero features do not
/// count, stored or not.
std::uint64_t hash_of_rows(const Dataset& data) noexcept;

/// Ranks that share rows must make the same decisions from bit-identical numbers; otherwise they
/// would wait for each other forever. Throws UsageError on all of them if their kernels, named by
/// `mine`, differ. Every rank of `rows` must call it.
void check_same_kernels(const Communicator& rows, std::string_view mine);

}  // namespace mugrad::mpi

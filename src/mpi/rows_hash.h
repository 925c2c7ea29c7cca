// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>

#include <cstdint>

namespace mugrad::mpi {

/// Tells rows from others: their features, labels and what is unknown of these. Rows are added up,
/// so that their order does not matter and sums over parts are those of the whole. Zeros of
/// features count as nothing, written down or not.
std::uint64_t hash_of_rows(const Dataset& data) noexcept;

}  // namespace mugrad::mpi

// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/communicator.h"

#include <mugrad/linalg/matrix.h>

#include <cstdint>
#include <span>

namespace mugrad::mpi {

/// Moves one row per label from the ranks that have them to others. This rank has the labels `has`,
/// in the order of the first rows of `rows`, and gets the rows of the labels `wants`, in that
/// order, without their first `omitted` numbers. Rows that no rank has are zero. `rank_of` is the
/// rank that wants each label, of all labels. Every rank must call it.
template <class Real>
Matrix<Real> moved_rows(const Communicator& among, std::span<const LabelId> has,
                        const Matrix<Real>& rows, std::span<const std::int32_t> rank_of,
                        std::span<const LabelId> wants, Index omitted = 0);

}  // namespace mugrad::mpi

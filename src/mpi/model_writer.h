// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/communicator.h"

#include <mugrad/linalg/matrix.h>
#include <mugrad/model/model.h>

#include <filesystem>
#include <span>

namespace mugrad::mpi {

/// Writes one model file with all ranks of `among`. Its weights are a row per feature and a column
/// per label, of which each rank has some columns: ranks turn them into whole rows, a few at a
/// time, and write these side by side. Columns that nobody has are zero.
/// `contents` without weights is the first rank's; `columns` are those of this rank's rows of
/// `weights`, whose first parameter is the intercept. Every rank must call it. Throws InputError.
template <class Real>
void write_model(const Communicator& among, const ModelContents& contents, Index labels,
                 std::span<const LabelId> columns, const Matrix<Real>& weights,
                 const std::filesystem::path& target);

}  // namespace mugrad::mpi

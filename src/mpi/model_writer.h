// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/communicator.h"

#include <mugrad/linalg/matrix.h>
#include <mugrad/model/model.h>

#include <filesystem>
#include <functional>
#include <span>
#include <vector>

namespace mugrad::mpi {

/// Gives the row of a label's relations: which labels, ascending, and how strongly.
using RelationsRow = std::function<void(LabelId label, std::vector<LabelId>& related,
                                        std::vector<double>& strengths)>;

/// Writes one model file with all ranks of `among`. Its weights are a row per feature and a column
/// per label, of which each rank has some columns: ranks turn them into whole rows, a few at a
/// time, and write these side by side. Columns that nobody has are zero.
/// `contents` without weights is the first rank's; `columns` are those of this rank's rows of
/// `weights`, whose first parameter is the intercept. Where the contents have the row starts of the
/// relations alone, each rank asks `relations` for some rows and writes these; else that may be
/// empty. Every rank must call it. Throws InputError.
template <class Real>
void write_model(const Communicator& among, const ModelContents& contents, Index labels,
                 std::span<const LabelId> columns, const Matrix<Real>& weights,
                 const RelationsRow& relations, const std::filesystem::path& target);

}  // namespace mugrad::mpi

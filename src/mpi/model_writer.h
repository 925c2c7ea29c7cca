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

/// Returns a label's row of relations: the labels, ascending, and their strengths.
using RelationsRow = std::function<void(LabelId label, std::vector<LabelId>& related,
                                        std::vector<double>& strengths)>;

/// Writes one model file with all ranks of `among`. Its weights have one row per feature and one
/// column per label, of which each rank has some columns: ranks exchange them into whole rows, a
/// few at a time, and write these in parallel. Columns that no rank has are zero. `contents`,
/// without weights, is used from the first rank; `columns` are the labels of this rank's rows of
/// `weights`, whose first parameter is the intercept. If the contents have only the row starts of
/// the relations, each rank writes some rows that it gets from `relations`, which may be empty
/// otherwise. Every rank must call it. Throws InputError.
template <class Real>
void write_model(const Communicator& among, const ModelContents& contents, Index labels,
                 std::span<const LabelId> columns, const Matrix<Real>& weights,
                 const RelationsRow& relations, const std::filesystem::path& target);

}  // namespace mugrad::mpi

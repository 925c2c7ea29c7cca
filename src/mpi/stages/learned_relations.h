// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/data_part.h"
#include "mpi/stages/rank_training.h"

#include <mugrad/linalg/sparse_matrix.h>
#include <mugrad/method/mgd.h>

namespace mugrad::mpi {

/// As learned_similarity of one process, computed by all ranks: the similarity of the trainable
/// labels of `alone`, which were trained without transfer on this part. The same on all ranks, with
/// the same bits for any number of them. Every rank must call it. Throws as `fit` does.
template <class Real>
CsrMatrix<double> learned_similarity(SharedRun& run, const DataPart& part,
                                     const MgdOptions& options, const RankSolution<Real>& alone,
                                     Progress* progress);

}  // namespace mugrad::mpi

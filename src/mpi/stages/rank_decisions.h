// SPDX-License-Identifier: MIT
#pragma once

#include "experiment/held_out_counts.h"
#include "mpi/data_part.h"
#include "mpi/stages/rank_training.h"

#include <mugrad/experiment/tune.h>
#include <mugrad/method/mgd.h>

#include <string>

namespace mugrad::mpi {

/// What inner folds decide about all labels.
struct RankDecisions {
  Decisions values = {};
  std::string warning = {};  ///< why nothing was decided, unless that was to be expected
};

/// Whether the options ask for decisions that the data allows.
bool needs_inner_folds(const DataPart& part, const TuneOptions& tuning);

/// Calibrates scores and chooses thresholds as fit_by_inner_folds does: MGD is trained on the inner
/// folds by all ranks, each rank counts the scores of its labels and held-out rows, and the first
/// rank decides by the counts of all. Finished folds are kept in the checkpoint of the run. Every
/// rank must call it. Requires: needs_inner_folds. Throws as `fit`, except that divergence is a
/// warning.
template <class Real>
RankDecisions decide_by_inner_folds(SharedRun& run, const DataPart& part, const MgdOptions& options,
                                    const TuneOptions& tuning, Progress* progress);

}  // namespace mugrad::mpi

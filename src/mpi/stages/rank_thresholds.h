// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/data_part.h"
#include "mpi/stages/rank_training.h"

#include <mugrad/experiment/tune.h>
#include <mugrad/method/mgd.h>

#include <string>
#include <vector>

namespace mugrad::mpi {

/// Thresholds of all labels.
struct ChosenThresholds {
  std::vector<double> values = {};  ///< empty: those of the method are kept
  std::string warning = {};         ///< why they are kept, unless that was to be expected
};

/// Whether the options ask for a choice that the data allows.
bool chooses_thresholds(const DataPart& part, const TuneOptions& tuning);

/// Chooses thresholds as fit_with_thresholds does: MGD is trained on the inner folds by all ranks,
/// each rank counts the scores of its labels and held-out rows, and the first rank chooses by the
/// counts of all. Finished folds are kept in the checkpoint of the run. Every rank must call it.
/// Requires: chooses_thresholds. Throws as `fit`, except that divergence is a warning.
template <class Real>
ChosenThresholds choose_thresholds(SharedRun& run, const DataPart& part, const MgdOptions& options,
                                   const TuneOptions& tuning, Progress* progress);

}  // namespace mugrad::mpi

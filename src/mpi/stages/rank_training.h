// SPDX-License-Identifier: MIT
#pragma once

#include "method/mgd/mgd_solution.h"
#include "mpi/checkpoints.h"
#include "mpi/communicator.h"
#include "mpi/data_part.h"
#include "mpi/rank_problem.h"

#include <mugrad/data/representation.h>
#include <mugrad/linalg/matrix.h>
#include <mugrad/method/mgd.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace mugrad::mpi {

/// What the trainings of a run share.
struct SharedRun {
  const Grid& grid;
  CheckpointFolder* checkpoints = nullptr;  ///< null: none
  Index resumed_at = 0;                     ///< round of the checkpoint; 0: none
};

/// What a solve cost.
struct SolveCosts {
  Index rounds = 0;
  Traffic traffic;         ///< bytes are of all ranks
  Index summed_bytes = 0;  ///< received by this rank to sum over shared rows
  double setup_seconds = 0;
};

/// The result of training on one rank.
template <class Real>
struct RankSolution {
  std::unique_ptr<RankProblem<Real>> problem;
  Representation representation;  ///< of the rows as they were given
  /// One row per label of this rank (problem->share().own) with the intercept first, then others.
  Matrix<Real> weights;
  std::optional<MgdOutcome> outcome;  ///< empty if no label had both classes
  SolveCosts costs;

  const TrainableLabels& trainable() const noexcept { return problem->trainable(); }
};

/// How one training of a run is done.
struct StageOptions {
  std::string name;            ///< of the stage, for its checkpoints
  bool releases_rows = false;  ///< whether the rows of the part are not needed afterwards
  bool has_checkpoints = true;
  Progress* progress = nullptr;
};

/// Trains MGD on the rows of all ranks. Every rank must call it. Throws as `fit` does.
template <class Real>
RankSolution<Real> fit_on_ranks(SharedRun& run, DataPart& part, const MgdOptions& options,
                                const StageOptions& stage);

}  // namespace mugrad::mpi

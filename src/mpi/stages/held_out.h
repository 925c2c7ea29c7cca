// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/communicator.h"
#include "mpi/stages/rank_training.h"

#include <mugrad/linalg/features.h>
#include <mugrad/model/scorer.h>

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace mugrad::mpi {

/// A model of the labels that one rank scores: those it has trained, and on the first rank also
/// those with one class.
struct OwnModel {
  std::vector<LabelId> labels;  ///< of the data, in the order of the scores
  std::optional<Model> model;   ///< empty if there are none

  Index count() const noexcept { return std::ssize(labels); }
};

/// Every label has exactly one rank of `among` that scores it.
template <class Real>
OwnModel own_model(const Communicator& among, const RankSolution<Real>& solution,
                   const MgdOptions& options);

/// Receives the position of a row among those scored, and its scores.
using VisitScores = std::function<void(std::size_t position, std::span<const double> scores)>;

/// Scores these rows of `x`.
void score_rows(Scorer scorer, const Features& x, std::span<const Index> rows,
                const VisitScores& visit);

}  // namespace mugrad::mpi

// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/communicator.h"

#include <mugrad/linalg/binary_matrix.h>
#include <mugrad/linalg/matrix.h>
#include <mugrad/objective/task_set.h>
#include <mugrad/parallel/thread_pool.h>
#include <mugrad/solver/solve.h>
#include <mugrad/transfer/transfer.h>

#include <functional>
#include <span>
#include <vector>

namespace mugrad::mpi {

/// Labels of this rank that are solved together: rows [begin, end) of its weights.
struct LocalGroup {
  Index number;  ///< among the groups of all ranks
  Index begin, end;
};

/// What a label borrows, by the rows of the rank's weights: its own labels, then those of others.
/// Entries come in the order of the labels, wherever these are, so that sums are the same.
struct Borrowing {
  std::vector<Index> start = {0};
  std::vector<Index> row;
  std::vector<double> strength;
  std::vector<double> own;  ///< mbar_ii of each label
};

/// The labels of one rank and how they hang together with those of others.
struct Share {
  std::vector<LabelId> own;     ///< this rank's labels, in the order of its groups
  std::vector<LabelId> wanted;  ///< those of others that they borrow from, by rank, then label
  std::vector<LocalGroup> groups;
  Index largest_group = 0;  ///< of all ranks
  Borrowing borrowing;
  /// All labels of all examples, where what is borrowed comes from sums, see CosineSums; null: it
  /// is in `borrowing`.
  const BinaryMatrix* summed = nullptr;
  std::vector<std::int32_t> rank_of;  ///< of every label
  Index labels() const noexcept { return std::ssize(rank_of); }
};

/// What passed between ranks, and what they did.
struct Traffic {
  Index exchanges = 0;
  Index gradients = 0;           ///< of one label each, in all rounds
  double work_seconds = 0;       ///< of this rank's processors, waiting for others left out
  Index bytes_per_exchange = 0;  ///< of weights or sums, received by all ranks together
  Index bytes = 0;               ///< in all exchanges
};

/// Where a run that was begun earlier goes on.
struct Resumption {
  Index round = 0;
  Index iterations = 0;  ///< that labels have taken at the most
  double first_residual = 0;
};

/// What is told after every round: its number, what the tolerance is relative to, and the weights,
/// a row per label of this rank first.
template <class Real>
using AfterRound = std::function<void(const Resumption& state, const Matrix<Real>& weights)>;

struct RoundsReport {
  SolveReport solve;
  Index rounds = 0;  ///< those before a resumption included
  double total_loss = 0;
  Traffic traffic;
};

/// The equilibrium of equation (11) for labels on many ranks. In each round every label answers to
/// what all others held after the round before (the labels of a group in one run), while the
/// weights that its answer depends on may still be on their way; then all answers are mixed, see
/// Mixing. A round costs one exchange of the weights that are borrowed across ranks, or of sums,
/// and counts for as many iterations as the group took that needed most of them. Requires: tasks
/// are those of share.own; `weights` has rows for own and wanted labels, of which the own ones hold
/// the start. Every rank of `among` must call it. Ensures: the own rows hold the point whose
/// residual is the report's; their bits do not depend on which rank has which group. `progress` and
/// `after_round` may be null; an progress of any rank that asks to stop is heard by all with the
/// next residual.
template <class Real>
RoundsReport run_rounds(const Communicator& among, const Share& share, TaskSet<Real>& tasks,
                        double sigma, Intercepts intercepts, Matrix<Real>& weights,
                        const Stopping& stopping, const Resumption& from, Progress* progress,
                        const AfterRound<Real>& after_round, ThreadPool& pool);

}  // namespace mugrad::mpi

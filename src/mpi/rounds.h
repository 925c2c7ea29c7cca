// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/communicator.h"

#include <mugrad/linalg/matrix.h>
#include <mugrad/linalg/sparse_matrix.h>
#include <mugrad/objective/task_set.h>
#include <mugrad/parallel/thread_pool.h>
#include <mugrad/solver/solve.h>
#include <mugrad/transfer/transfer.h>

#include <functional>
#include <vector>

namespace mugrad::mpi {

/// Labels of this rank that are solved together: rows [begin, end) of its weights.
struct LocalGroup {
  Index number;  ///< among the groups of all ranks
  Index begin, end;
};

/// What a label borrows, by rows of the rank's weights: its own labels, then those of others.
/// Entries are in the order of the labels, on any rank, so that sums are the same.
struct Borrowing {
  std::vector<Index> start = {0};
  std::vector<Index> row;
  std::vector<double> strength;
  std::vector<double> own;  ///< mbar_ii of each label
};

/// The labels of one rank and their relations to those of others.
struct Share {
  std::vector<LabelId> own;     ///< this rank's labels, in the order of its groups
  std::vector<LabelId> wanted;  ///< labels of others that they borrow from, by rank, then label
  std::vector<LocalGroup> groups;
  Index largest_group = 0;  ///< of all ranks
  Borrowing borrowing;
  /// All labels of all examples, if borrowed weights come from sums, see CosineSums; null: they are
  /// in `borrowing`.
  const BinaryMatrix* summed = nullptr;
  std::vector<std::int32_t> rank_of;  ///< of every label
  Index labels() const noexcept { return std::ssize(rank_of); }
};

/// Communication and work of the ranks.
struct Traffic {
  Index exchanges = 0;
  Index gradients = 0;           ///< single-label gradients in all rounds
  double work_seconds = 0;       ///< processor seconds of this rank, without waiting
  Index bytes_per_exchange = 0;  ///< of weights or sums, received by all ranks together
  Index bytes = 0;               ///< in all exchanges
};

/// The state from which a run resumes.
struct Resumption {
  Index round = 0;
  Index iterations = 0;  ///< maximum over the labels
  double first_residual = 0;
};

/// Called after every round with its state and the weights, first one row per label of this rank.
template <class Real>
using AfterRound = std::function<void(const Resumption& state, const Matrix<Real>& weights)>;

struct RoundsReport {
  SolveReport solve;
  Index rounds = 0;  ///< including those before a resumption
  double total_loss = 0;
  Traffic traffic;
};

/// The equilibrium of equation (11) for labels on many ranks. In each round every label is solved
/// with the weights of all others after the previous round (the labels of a group in one run),
/// while borrowed weights of other ranks may still arrive; then all answers are mixed, see Mixing.
/// A round costs one exchange of the weights that are borrowed across ranks, or of sums. It counts
/// as many iterations as its slowest group took. `progress` and `after_round` may be null; if the
/// progress of any rank asks to stop, all learn it with the next residual. Every rank of `among`
/// must call it.
/// Requires: tasks are those of share.own; `weights` has rows for own and wanted labels, and the
/// own rows hold the start.
/// Ensures: the own rows hold the point whose residual is the report's; their bits do not depend on
/// which rank has which group.
template <class Real>
RoundsReport run_rounds(const Communicator& among, const Share& share, TaskSet<Real>& tasks,
                        double sigma, Intercepts intercepts, Matrix<Real>& weights,
                        const Stopping& stopping, const Resumption& from, Progress* progress,
                        const AfterRound<Real>& after_round, ThreadPool& pool);

/// max_i |F_i| of these weights, equation (11), and the same on all ranks. Requires: as run_rounds.
template <class Real>
double residual_of(const Communicator& among, const Share& share, TaskSet<Real>& tasks,
                   double sigma, Intercepts intercepts, Matrix<Real>& weights, ThreadPool& pool);

}  // namespace mugrad::mpi

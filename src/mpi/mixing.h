// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/communicator.h"

#include <mugrad/linalg/matrix.h>
#include <mugrad/parallel/thread_pool.h>

#include <vector>

namespace mugrad::mpi {

/// Anderson's mixing (1965) of the fixed-point iteration W <- G(W), where G are the best responses
/// of all labels. The next W minimises the change predicted from the last rounds. Matrices have one
/// row per label of this rank.
template <class Real>
class Mixing {
 public:
  /// Number of stored rounds, with two matrices each.
  static constexpr Index kWindow = 5;

  /// `groups` are the first rows of each group of this rank, then an end. The other arguments must
  /// outlive it.
  Mixing(std::vector<Index> groups, Index parameters, const GroupSums& sums, ThreadPool& pool);

  /// weights = the next W. Requires: answers = G(weights); the first rows of `weights` are this
  /// rank's. Every rank must call it.
  void step(const Matrix<Real>& answers, Matrix<Real>& weights);
  /// Restarts: the next answers are used without mixing.
  void forget() noexcept {
    known_ = next_ = 0;
    has_last_ = false;
  }

 private:
  Index labels() const noexcept { return groups_.back(); }
  void remember(const Matrix<Real>& answers, const Matrix<Real>& weights);
  std::vector<double> shares() const;

  std::vector<Index> groups_;
  const GroupSums& sums_;
  ThreadPool& pool_;
  Index parameters_;
  Index known_ = 0;  ///< stored rounds in a ring, the latest at next_ - 1
  Index next_ = 0;
  bool has_last_ = false;
  Matrix<Real> last_answers_, last_change_;  ///< G(W) and G(W) - W of the round before
  std::vector<Matrix<Real>> answer_steps_, change_steps_;  ///< differences between rounds
};

}  // namespace mugrad::mpi

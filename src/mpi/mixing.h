// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/group_sums.h"

#include <mugrad/linalg/matrix.h>
#include <mugrad/parallel/thread_pool.h>

#include <span>
#include <vector>

namespace mugrad::mpi {

/// Anderson's mixing (1965) of the fixed-point iteration W <- G(W), here the answers of all labels
/// to what the others hold: the next W is where the change that the last rounds predict is least.
/// Matrices have a row per label of this rank.
template <class Real>
class Mixing {
 public:
  /// So many rounds are remembered, at two matrices each.
  static constexpr Index kWindow = 5;

  /// `groups` are the first rows of each group of this rank, and an end. The others must outlive
  /// it.
  Mixing(std::vector<Index> groups, Index parameters, const GroupSums& sums, ThreadPool& pool);

  /// weights = the next W. Requires: answers = G(weights); the first rows of `weights` are this
  /// rank's. Every rank must call it.
  void step(const Matrix<Real>& answers, Matrix<Real>& weights);
  /// Takes the next answers as they are, and begins anew from there.
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
  Index known_ = 0;  ///< rounds that are remembered, the latest in place (next_ - 1) of a ring
  Index next_ = 0;
  bool has_last_ = false;
  Matrix<Real> last_answers_, last_change_;  ///< G(W) and G(W) - W of the round before
  std::vector<Matrix<Real>> answer_steps_, change_steps_;  ///< how they differ between rounds
};

}  // namespace mugrad::mpi

// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/communicator.h"

#include <mugrad/linalg/matrix.h>
#include <mugrad/linalg/sparse_matrix.h>
#include <mugrad/parallel/thread_pool.h>

#include <span>
#include <vector>

namespace mugrad::mpi {

/// Computes the borrowed weights of the complete cosine transfer, equation (15), without a T x T
/// matrix and without the weights of all labels on any rank. With yn_j, the unit-length column of
/// label j, and S = sum_j w_j yn_j', label i borrows (S yn_i - w_i) / r_i from the others. S is
/// summed in panels of features, one per rank, which receives the weights of all labels in its
/// panel and returns what each label borrows there. Sums are in the order of labels and examples,
/// so that their bits do not depend on the distribution of labels or features.
template <class Real>
class CosineSums {
 public:
  static constexpr Index kBytesAtOnce = Index{1} << 24;

  /// `labels` are those of all ranks, each with a positive; `own` lists this rank's in the order of
  /// their rows. Parameters before `first` are not borrowed and not sent. Every rank must call it.
  /// A panel is processed in parts of about `bytes_at_once`. `among` and `pool` must outlive it.
  CosineSums(const Communicator& among, const BinaryMatrix& labels, std::span<const LabelId> own,
             Index parameters, Index first, ThreadPool& pool, Index bytes_at_once = kBytesAtOnce);

  /// For each of this rank's labels, strength times what it borrows from the others, one row each.
  /// Every rank must call it. The first rows of `weights` are this rank's labels.
  void borrow(const Matrix<Real>& weights, double strength, Matrix<Real>& borrowed);
  /// mbar_ii of this rank's label in this row.
  double own_share(Index row) const noexcept { return 1 / row_sum_[as_size(own_begin_ + row)]; }

  /// Bytes that this rank receives for each borrow()...
  Index bytes() const noexcept { return bytes_; }
  /// ... and for all of them so far.
  Index received() const noexcept { return received_; }
  /// Processor seconds, without waiting for others.
  double work_seconds() const noexcept { return work_seconds_; }

 private:
  /// A range of parameters of each rank's panel that is processed at once.
  struct Stretch {
    Index begin, end;
  };
  /// The first parameter of a rank's panel.
  Index panel_begin(Index rank) const noexcept {
    return first_ + borrowed_parameters_ * rank / among_.size();
  }
  Stretch stretch_of(std::size_t rank, Index turn) const noexcept;
  /// As Communicator::exchange, counting what is received.
  void swap(const std::vector<Real>& out, const std::vector<Index>& sent, std::vector<Real>& in,
            const std::vector<Index>& got);
  void add_up(Index width);
  void share_out(Index width, double strength);

  const Communicator& among_;
  ThreadPool& pool_;
  Index first_;
  Index borrowed_parameters_;
  Index own_;                       ///< labels of this rank
  Index own_begin_ = 0;             ///< their position among those of all ranks
  Index at_once_;                   ///< parameters of each rank per turn
  std::vector<Index> labels_of_;    ///< number of labels of each rank
  BinaryMatrix labels_of_example_;  ///< by position: rank after rank, in the order of the rows
  BinaryMatrix examples_of_label_;  ///< the same
  std::vector<double> scale_;       ///< 1 / length of each label's column
  std::vector<double> row_sum_;     ///< r_i
  /// This rank's labels in all panels, and all labels in its panel.
  std::vector<Real> mine_, panel_;
  std::vector<double> sums_;  ///< S in this rank's panel, one row per example
  Index bytes_ = 0;
  Index received_ = 0;
  double work_seconds_ = 0;
};

}  // namespace mugrad::mpi

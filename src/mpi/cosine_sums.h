// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/communicator.h"

#include <mugrad/linalg/binary_matrix.h>
#include <mugrad/linalg/matrix.h>
#include <mugrad/parallel/thread_pool.h>

#include <span>
#include <vector>

namespace mugrad::mpi {

/// What labels borrow by the whole cosine transfer, equation (15), without a matrix of labels by
/// labels and without the weights of all labels on any rank. With yn_j, the column of label j at
/// unit length, and S = sum_j w_j yn_j', label i borrows (S yn_i - w_i) / r_i from the others.
/// S is added up in panels of features, one of each rank, which gets the weights of all labels in
/// its panel and returns what each label borrows there. Sums go in the order of labels and
/// examples, so that their bits do not depend on who has which labels or features.
template <class Real>
class CosineSums {
 public:
  static constexpr Index kBytesAtOnce = Index{1} << 24;

  /// `labels` are those of all ranks, each with a positive; `own` lists this rank's in the order of
  /// their rows. Parameters before `first` are not borrowed and not sent. Every rank must call it.
  /// A panel is dealt with in parts of about `bytes_at_once`. `among` and `pool` must outlive it.
  CosineSums(const Communicator& among, const BinaryMatrix& labels, std::span<const LabelId> own,
             Index parameters, Index first, ThreadPool& pool, Index bytes_at_once = kBytesAtOnce);

  /// Of each of this rank's labels, strength times what it borrows from the others, a row each.
  /// Every rank must call it. The first rows of `weights` are this rank's labels.
  void borrow(const Matrix<Real>& weights, double strength, Matrix<Real>& borrowed);
  /// mbar_ii of this rank's label in this row.
  double own_share(Index row) const noexcept {
    return 1 / row_sum_[static_cast<std::size_t>(own_begin_ + row)];
  }

  /// Bytes of numbers that this rank is to receive for each borrow()...
  Index bytes() const noexcept { return bytes_; }
  /// ... and has received for all of them.
  Index received() const noexcept { return received_; }
  /// Seconds of the processors, waiting for others left out.
  double work_seconds() const noexcept { return work_seconds_; }

 private:
  /// A stretch of the parameters of each rank's panel that is dealt with at once.
  struct Stretch {
    Index begin, end;
  };
  /// The first parameter of a rank's panel.
  Index panel_begin(Index rank) const noexcept {
    return first_ + borrowed_parameters_ * rank / among_.size();
  }
  Stretch stretch_of(std::size_t rank, Index turn) const noexcept;
  /// All ranks send: numbers to each, of `sent` entries, into those from each, of `got` entries.
  void swap(const std::vector<Real>& out, const std::vector<Index>& sent, std::vector<Real>& in,
            const std::vector<Index>& got);
  void add_up(Index width);
  void share_out(Index width, double strength);

  const Communicator& among_;
  ThreadPool& pool_;
  Index first_;
  Index borrowed_parameters_;
  Index own_;                       ///< labels of this rank
  Index own_begin_ = 0;             ///< where they begin among those of all ranks
  Index at_once_;                   ///< parameters of each rank in one turn
  std::vector<Index> labels_of_;    ///< how many each rank has
  BinaryMatrix labels_of_example_;  ///< by their places: rank after rank, in the order of the rows
  BinaryMatrix examples_of_label_;  ///< the same
  std::vector<double> scale_;       ///< one over the length of each label's column
  std::vector<double> row_sum_;     ///< r_i
  std::vector<Real> mine_, panel_;  ///< of this rank's labels in all panels, and the other way
  std::vector<double> sums_;        ///< S in this rank's panel, a row per example
  Index bytes_ = 0;
  Index received_ = 0;
  double work_seconds_ = 0;
};

}  // namespace mugrad::mpi

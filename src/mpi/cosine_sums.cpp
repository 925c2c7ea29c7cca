// SPDX-License-Identifier: MIT
#include "mpi/cosine_sums.h"

#include "mpi/work_clock.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mugrad::mpi {
namespace {

/// Minimum number of parameters of a panel at a time.
constexpr Index kLeastAtOnce = 16;
/// Labels or examples per work item.
constexpr Index kTile = 32;

template <class Work>
void for_each_in_tiles(ThreadPool& pool, Index count, const Work& work) {
  pool.run((count + kTile - 1) / kTile, [&](Index tile) {
    for (Index k = tile * kTile; k < std::min((tile + 1) * kTile, count); ++k) work(k);
  });
}

}  // namespace

template <class Real>
CosineSums<Real>::CosineSums(const Communicator& among, const BinaryMatrix& labels,
                             std::span<const LabelId> own, Index parameters, Index first,
                             ThreadPool& pool, Index bytes_at_once)
    : among_(among),
      pool_(pool),
      first_(first),
      borrowed_parameters_(parameters - first),
      own_(std::ssize(own)),
      at_once_(std::max(kLeastAtOnce,
                        bytes_at_once / (as_index(sizeof(double)) *
                                         std::max<Index>(1, labels.cols + labels.rows())))) {
  labels_of_ = among.gather(std::span<const Index>(&own_, 1));
  own_begin_ = std::accumulate(labels_of_.begin(), labels_of_.begin() + among.rank(), Index{0});
  const auto order = among.gather(own);
  std::vector<LabelId> place(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    place[as_size(order[k])] = static_cast<LabelId>(k);
  }
  // Rows keep the order of labels, not of positions, because sums are in that order.
  labels_of_example_ = labels;
  for (LabelId& label : labels_of_example_.column) label = place[as_size(label)];
  examples_of_label_ = transposed(labels_of_example_);

  for (Index i = 0; i < examples_of_label_.rows(); ++i) {
    const auto positives = static_cast<double>(examples_of_label_.row(i).size());
    scale_.push_back(1 / std::sqrt(positives));
  }
  row_sum_.assign(scale_.size(), 0);
  for (Index example = 0; example < labels.rows(); ++example) {
    double total = 0;
    for (const LabelId j : labels_of_example_.row(example)) {
      total += scale_[as_size(j)];
    }
    for (const LabelId i : labels_of_example_.row(example)) {
      row_sum_[as_size(i)] += scale_[as_size(i)] * total;
    }
  }
  // For a label that is alone, rounding could give less.
  for (double& sum : row_sum_) sum = std::max(1.0, sum);

  const Index panel = panel_begin(among.rank() + 1) - panel_begin(among.rank());
  // The others' weights in this rank's panel, and its own labels in the panels of others.
  const Index numbers = panel * (labels.cols - own_) + (borrowed_parameters_ - panel) * own_;
  bytes_ = numbers * as_index(sizeof(Real));
}

template <class Real>
typename CosineSums<Real>::Stretch CosineSums<Real>::stretch_of(std::size_t rank,
                                                                Index turn) const noexcept {
  const Index begin = panel_begin(as_index(rank));
  const Index end = panel_begin(as_index(rank) + 1);
  return {std::min(begin + turn * at_once_, end), std::min(begin + (turn + 1) * at_once_, end)};
}

template <class Real>
void CosineSums<Real>::swap(const std::vector<Real>& out, const std::vector<Index>& sent,
                            std::vector<Real>& in, const std::vector<Index>& got) {
  among_.exchange(out, sent, in, got);
  const Index from_others = std::ssize(in) - got[as_size(among_.rank())];
  received_ += from_others * as_index(sizeof(Real));
}

template <class Real>
void CosineSums<Real>::borrow(const Matrix<Real>& weights, double strength,
                              Matrix<Real>& borrowed) {
  borrowed.resize(own_, weights.cols());
  for (Index i = 0; i < own_; ++i) std::fill_n(borrowed.row(i).begin(), first_, Real{0});
  const auto ranks = labels_of_.size();
  const auto me = as_size(among_.rank());
  const Index most = (borrowed_parameters_ + among_.size() - 1) / among_.size();
  for (Index turn = 0; turn * at_once_ < most; ++turn) {
    const auto [begin, end] = stretch_of(me, turn);
    const Index width = end - begin;
    std::vector<Index> of_mine(ranks), of_panel(ranks);
    mine_.clear();
    for (std::size_t r = 0; r < ranks; ++r) {
      const auto theirs = stretch_of(r, turn);
      of_mine[r] = (theirs.end - theirs.begin) * own_;
      of_panel[r] = width * labels_of_[r];
      for (Index i = 0; i < own_; ++i) {
        const auto row = weights.row(i);
        mine_.insert(mine_.end(), row.begin() + theirs.begin, row.begin() + theirs.end);
      }
    }
    swap(mine_, of_mine, panel_, of_panel);
    add_up(width);
    share_out(width, strength);
    swap(panel_, of_panel, mine_, of_mine);
    auto from = mine_.begin();
    for (std::size_t r = 0; r < ranks; ++r) {
      const auto theirs = stretch_of(r, turn);
      for (Index i = 0; i < own_; ++i, from += theirs.end - theirs.begin) {
        std::copy_n(from, theirs.end - theirs.begin, borrowed.row(i).begin() + theirs.begin);
      }
    }
  }
}

/// S in the panel.
template <class Real>
void CosineSums<Real>::add_up(Index width) {
  const WorkClock clock(work_seconds_);
  const auto wide = as_size(width);
  sums_.resize(as_size(labels_of_example_.rows()) * wide);
  for_each_in_tiles(pool_, labels_of_example_.rows(), [&](Index example) {
    const auto sums = std::span(sums_).subspan(as_size(example) * wide, wide);
    std::ranges::fill(sums, 0);
    for (const LabelId place : labels_of_example_.row(example)) {
      const auto j = as_size(place);
      const auto w = std::span(panel_).subspan(j * wide, wide);
      for (std::size_t k = 0; k < wide; ++k) sums[k] += scale_[j] * static_cast<double>(w[k]);
    }
  });
}

/// Replaces the weights of each label in the panel by what it borrows.
template <class Real>
void CosineSums<Real>::share_out(Index width, double strength) {
  const WorkClock clock(work_seconds_);
  const auto wide = as_size(width);
  for_each_in_tiles(pool_, examples_of_label_.rows(), [&](Index label) {
    const auto i = as_size(label);
    const auto w = std::span(panel_).subspan(i * wide, wide);
    std::vector<double> total(wide, 0);
    for (const LabelId example : examples_of_label_.row(label)) {
      const auto sums = std::span(sums_).subspan(as_size(example) * wide, wide);
      for (std::size_t k = 0; k < wide; ++k) total[k] += sums[k];
    }
    for (std::size_t k = 0; k < wide; ++k) {
      const double of_others = scale_[i] * total[k] - static_cast<double>(w[k]);
      w[k] = static_cast<Real>(strength * of_others / row_sum_[i]);
    }
  });
}

template class CosineSums<float>;
template class CosineSums<double>;

}  // namespace mugrad::mpi

// SPDX-License-Identifier: MIT
#include "mpi/cosine_sums.h"

#include "mpi/work_clock.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mugrad::mpi {
namespace {

/// The least parameters of a panel at a time.
constexpr Index kLeastAtOnce = 16;
/// Labels or examples of one piece of work.
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
                        bytes_at_once / (static_cast<Index>(sizeof(double)) *
                                         std::max<Index>(1, labels.cols + labels.rows())))) {
  labels_of_ = among.gather(std::span<const Index>(&own_, 1));
  own_begin_ = std::accumulate(labels_of_.begin(), labels_of_.begin() + among.rank(), Index{0});
  const auto order = among.gather(own);
  std::vector<LabelId> place(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    place[static_cast<std::size_t>(order[k])] = static_cast<LabelId>(k);
  }
  // Each row keeps the order of the labels, not of the places: sums go that way.
  labels_of_example_ = labels;
  for (LabelId& label : labels_of_example_.column) label = place[static_cast<std::size_t>(label)];
  examples_of_label_ = transposed(labels_of_example_);

  for (Index i = 0; i < examples_of_label_.rows(); ++i) {
    const auto positives = static_cast<double>(examples_of_label_.row(i).size());
    scale_.push_back(1 / std::sqrt(positives));
  }
  row_sum_.assign(scale_.size(), 0);
  for (Index example = 0; example < labels.rows(); ++example) {
    double total = 0;
    for (const LabelId j : labels_of_example_.row(example)) {
      total += scale_[static_cast<std::size_t>(j)];
    }
    for (const LabelId i : labels_of_example_.row(example)) {
      row_sum_[static_cast<std::size_t>(i)] += scale_[static_cast<std::size_t>(i)] * total;
    }
  }
  // Of a label that is alone, rounding could make less.
  for (double& sum : row_sum_) sum = std::max(1.0, sum);

  const Index panel = panel_begin(among.rank() + 1) - panel_begin(among.rank());
  // The others' weights in this rank's panel, and its own labels in those of others.
  const Index numbers = panel * (labels.cols - own_) + (borrowed_parameters_ - panel) * own_;
  bytes_ = numbers * static_cast<Index>(sizeof(Real));
}

template <class Real>
typename CosineSums<Real>::Stretch CosineSums<Real>::stretch_of(std::size_t rank,
                                                                Index turn) const noexcept {
  const Index begin = panel_begin(static_cast<Index>(rank));
  const Index end = panel_begin(static_cast<Index>(rank) + 1);
  return {std::min(begin + turn * at_once_, end), std::min(begin + (turn + 1) * at_once_, end)};
}

template <class Real>
void CosineSums<Real>::swap(const std::vector<Real>& out, const std::vector<Index>& sent,
                            std::vector<Real>& in, const std::vector<Index>& got) {
  const auto ranks = sent.size();
  std::vector<int> sent_count(ranks), sent_at(ranks), got_count(ranks), got_at(ranks);
  Index sent_so_far = 0;
  Index got_so_far = 0;
  for (std::size_t r = 0; r < ranks; ++r) {
    sent_count[r] = count_of(sent[r]);
    sent_at[r] = count_of(sent_so_far);
    got_count[r] = count_of(got[r]);
    got_at[r] = count_of(got_so_far);
    sent_so_far += sent[r];
    got_so_far += got[r];
  }
  in.resize(static_cast<std::size_t>(got_so_far));
  MPI_Alltoallv(out.data(), sent_count.data(), sent_at.data(), type_of<Real>(), in.data(),
                got_count.data(), got_at.data(), type_of<Real>(), among_.handle());
  const Index from_others = got_so_far - got[static_cast<std::size_t>(among_.rank())];
  received_ += from_others * static_cast<Index>(sizeof(Real));
}

template <class Real>
void CosineSums<Real>::borrow(const Matrix<Real>& weights, double strength,
                              Matrix<Real>& borrowed) {
  borrowed.resize(own_, weights.cols());
  for (Index i = 0; i < own_; ++i) std::fill_n(borrowed.row(i).begin(), first_, Real{0});
  const auto ranks = labels_of_.size();
  const auto me = static_cast<std::size_t>(among_.rank());
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
  const auto wide = static_cast<std::size_t>(width);
  sums_.resize(static_cast<std::size_t>(labels_of_example_.rows()) * wide);
  for_each_in_tiles(pool_, labels_of_example_.rows(), [&](Index example) {
    const auto sums = std::span(sums_).subspan(static_cast<std::size_t>(example) * wide, wide);
    std::ranges::fill(sums, 0);
    for (const LabelId place : labels_of_example_.row(example)) {
      const auto j = static_cast<std::size_t>(place);
      const auto w = std::span(panel_).subspan(j * wide, wide);
      for (std::size_t k = 0; k < wide; ++k) sums[k] += scale_[j] * static_cast<double>(w[k]);
    }
  });
}

/// In place of each label's weights in the panel, what it borrows.
template <class Real>
void CosineSums<Real>::share_out(Index width, double strength) {
  const WorkClock clock(work_seconds_);
  const auto wide = static_cast<std::size_t>(width);
  for_each_in_tiles(pool_, examples_of_label_.rows(), [&](Index label) {
    const auto i = static_cast<std::size_t>(label);
    const auto w = std::span(panel_).subspan(i * wide, wide);
    std::vector<double> total(wide, 0);
    for (const LabelId example : examples_of_label_.row(label)) {
      const auto sums = std::span(sums_).subspan(static_cast<std::size_t>(example) * wide, wide);
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

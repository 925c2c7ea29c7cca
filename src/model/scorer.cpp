// SPDX-License-Identifier: MIT
#include "linalg/panels.h"
#include "linalg/sparse_kernels.h"
#include "model/head_scores.h"
#include "objective/logistic_kernels.h"

#include <mugrad/core/error.h>
#include <mugrad/model/scorer.h>
#include <mugrad/parallel/thread_pool.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <numeric>

namespace mugrad {
namespace {

/// Rows that go through one panel after the other: enough for a panel to be met many times before
/// it makes room for the next, few enough for their scores to stay in the second cache.
constexpr Index kBlockRows = 256;
/// Of a panel. Eight vectors side by side hide how long one addition takes.
constexpr Index kMostLines = 8;

/// Rows of which each takes so many numbers, as many as have room in the second cache.
Index rows_in_cache(Index numbers) noexcept {
  constexpr Index kNumbers = 1 << 16;
  return std::clamp<Index>(kNumbers / std::max<Index>(1, numbers), 1, kBlockRows);
}

/// W in panels, in the precision it is stored in.
template <class Real>
AlignedBuffer<Real> packed(const Matrix<Real>& weights, const Panels& panels) {
  AlignedBuffer<Real> result(weights.rows() * panels.padded());
  for (Index panel = 0; panel < panels.count; ++panel) {
    const Index width = panels.width(panel);
    Real* to = result.data() + weights.rows() * panels.first(panel);
    for (Index k = 0; k < weights.rows(); ++k, to += width) {
      std::copy_n(weights.row(k).data() + panels.first(panel), panels.filled(panel), to);
    }
  }
  return result;
}

}  // namespace

class Scorer::Impl {
 public:
  Impl(const Model& model, bool with_link, Threads threads);

  Index features() const noexcept { return features_; }
  Index labels() const noexcept { return labels_; }
  void scores(const Features& x, Index begin, Index end, Matrix<double>& out);

 private:
  /// What a thread works with.
  struct Scratch {
    std::vector<double> values;  ///< transformed features of a block
    std::vector<Index> starts;   ///< where each row's begin, and the last one's end
    AlignedBuffer<double> z;     ///< scores of a block for one panel
    std::vector<double> linear;  ///< scores of a block for all, where a head wants them
    std::vector<double> squared_lengths;
    HeadScratch head;
  };
  struct Rows {
    const Features& x;
    Index begin, end;
  };

  double factor(std::size_t k) const noexcept {
    return transform_.factor.empty() ? 1 : transform_.factor[k];
  }
  double shift(std::size_t k) const noexcept {
    return transform_.shift.empty() ? 0 : transform_.shift[k];
  }
  void make_offsets(const Model& model);
  void make_room(const Rows& rows, Index most);
  template <class Real>
  void transform(const CsrView<Real>& x, const Rows& rows, Scratch& scratch) const;
  template <class Real>
  void transform(const DenseView<Real>& x, const Rows& rows, Scratch& scratch) const;
  void multiply(const Rows& rows, Index panel, Scratch& scratch) const;
  Index block_rows(const Features& x) const noexcept;
  void measure_lengths(const Rows& rows, Scratch& scratch) const;
  void multiply_all(const Rows& rows, Scratch& scratch, double* out) const;
  void score_block(const Rows& rows, Scratch& scratch, double* out) const;

  Index features_, labels_;
  Panels panels_;
  FeatureTransform transform_;
  Head head_;
  std::unique_ptr<HeadScores> head_scores_;  ///< null: none but a link is needed
  bool is_logistic_;
  std::variant<AlignedBuffer<float>, AlignedBuffer<double>> weights_;
  AlignedBuffer<double> dense_offsets_;   ///< the intercepts
  AlignedBuffer<double> sparse_offsets_;  ///< with what the shift makes of a row of zeros
  double zero_squared_length_ = 0;        ///< of a row of zeros, transformed
  std::vector<std::int32_t> every_feature_;
  ThreadPool pool_;
  std::vector<Scratch> scratch_;  ///< one per thread
};

Scorer::Impl::Impl(const Model& model, bool with_link, Threads threads)
    : features_(model.features()),
      labels_(model.labels()),
      panels_(Panels::cut(std::ssize(model.contents().intercepts), kLine<double>, kMostLines)),
      transform_(feature_transform(model.contents().scaling)),
      head_(model.contents().head),
      head_scores_(head_scores(head_, panels_.columns, labels_)),
      is_logistic_(with_link && head_ == Head(IndependentHead{Link::logistic})),
      every_feature_(static_cast<std::size_t>(features_)),
      pool_(threads),
      scratch_(static_cast<std::size_t>(pool_.size())) {
  if (!with_link && head_scores_) {
    throw UsageError(fmt::format("the labels of a model with the head '{}' have no linear scores",
                                 kind_of(head_)));
  }
  std::visit([&](const auto& weights) { weights_ = packed(weights, panels_); },
             model.contents().weights);
  make_offsets(model);
  std::iota(every_feature_.begin(), every_feature_.end(), 0);
  for (Scratch& scratch : scratch_) {
    scratch.starts.resize(kBlockRows + 1);
    scratch.z =
        AlignedBuffer<double>(kBlockRows * std::min(panels_.padded(), kMostLines * panels_.line));
  }
}

void Scorer::Impl::make_offsets(const Model& model) {
  const auto& contents = model.contents();
  dense_offsets_ = AlignedBuffer<double>(panels_.padded());
  sparse_offsets_ = AlignedBuffer<double>(panels_.padded());
  for (AlignedBuffer<double>* offsets : {&dense_offsets_, &sparse_offsets_}) {
    std::ranges::copy(contents.intercepts, offsets->data());
  }
  if (transform_.shift.empty()) return;
  std::visit(
      [&](const auto& weights) {
        for (Index k = 0; k < features_; ++k) {
          const auto at = static_cast<std::size_t>(k);
          const double moved = transform_.shift[at] * factor(at);
          zero_squared_length_ += moved * moved;
          const auto row = weights.row(k);
          for (std::size_t t = 0; t < row.size(); ++t) {
            sparse_offsets_.data()[t] -= moved * static_cast<double>(row[t]);
          }
        }
      },
      contents.weights);
}

/// For every thread, since which one takes which rows is left open.
void Scorer::Impl::make_room(const Rows& rows, Index most) {
  Index entries = most * features_;
  if (rows.x.is_sparse()) {
    const Index* const start = rows.x.pattern().row_start;
    entries = 0;
    for (Index first = rows.begin; first < rows.end; first += most) {
      const Index end = std::min(first + most, rows.end);
      entries = std::max(entries, start[end] - start[first]);
    }
  }
  for (Scratch& scratch : scratch_) {
    if (std::ssize(scratch.values) < entries) {
      scratch.values.resize(static_cast<std::size_t>(entries));
    }
  }
}

/// Zeros are not visited; what the shift makes of them is in the offsets, so none is subtracted.
template <class Real>
void Scorer::Impl::transform(const CsrView<Real>& x, const Rows& rows, Scratch& scratch) const {
  double* to = scratch.values.data();
  for (Index row = rows.begin; row < rows.end; ++row) {
    scratch.starts[static_cast<std::size_t>(row - rows.begin)] = to - scratch.values.data();
    const auto columns = x.row_columns(row);
    const auto values = x.row_values(row);
    const double row_factor = transform_.unit_rows ? unit_row_factor(rows.x, row) : 1;
    for (std::size_t k = 0; k < values.size(); ++k) {
      *to++ = static_cast<double>(values[k]) * row_factor *
              factor(static_cast<std::size_t>(columns[k]));
    }
  }
  scratch.starts[static_cast<std::size_t>(rows.end - rows.begin)] = to - scratch.values.data();
}

template <class Real>
void Scorer::Impl::transform(const DenseView<Real>& x, const Rows& rows, Scratch& scratch) const {
  double* to = scratch.values.data();
  for (Index row = rows.begin; row < rows.end; ++row) {
    const auto values = x.row(row);
    const double row_factor = transform_.unit_rows ? unit_row_factor(rows.x, row) : 1;
    for (std::size_t k = 0; k < values.size(); ++k) {
      *to++ = (static_cast<double>(values[k]) * row_factor - shift(k)) * factor(k);
    }
  }
}

/// The linear scores of the rows for a panel. A dense row is one that stores every feature: a
/// product of matrices would be faster, but its sums depend on how many rows it is given.
void Scorer::Impl::multiply(const Rows& rows, Index panel, Scratch& scratch) const {
  const Index count = rows.end - rows.begin;
  const Index width = panels_.width(panel);
  const Index first = panels_.first(panel);
  std::visit(
      [&](const auto& weights) {
        const auto* const from = weights.data() + features_ * first;
        if (rows.x.is_sparse()) {
          const CsrPattern x = rows.x.pattern();
          const auto* const columns = x.column + x.row_start[rows.begin];
          multiply_rows({count, scratch.starts.data(), columns, scratch.values.data()}, from,
                        sparse_offsets_.data() + first, width, scratch.z.data());
          return;
        }
        const std::array<Index, 2> starts = {0, features_};
        for (Index row = 0; row < count; ++row) {
          multiply_rows(
              {1, starts.data(), every_feature_.data(), scratch.values.data() + row * features_},
              from, dense_offsets_.data() + first, width, scratch.z.data() + row * width);
        }
      },
      weights_);
}

/// Few enough for what a row takes to stay in the second cache.
Index Scorer::Impl::block_rows(const Features& x) const noexcept {
  const Index transformed = x.is_sparse() ? 0 : features_;  // dense rows are transformed whole
  return rows_in_cache(std::max(transformed, head_scores_ ? panels_.columns : 0));
}

/// Of the rows as they are transformed; zeros are what the shift makes of them.
void Scorer::Impl::measure_lengths(const Rows& rows, Scratch& scratch) const {
  scratch.squared_lengths.resize(static_cast<std::size_t>(rows.end - rows.begin));
  for (Index row = rows.begin; row < rows.end; ++row) {
    const auto at = static_cast<std::size_t>(row - rows.begin);
    double sum = 0;
    if (rows.x.is_sparse()) {
      const auto columns = rows.x.pattern().row_columns(row);
      const double* const values = scratch.values.data() + scratch.starts[at];
      sum = zero_squared_length_;
      for (std::size_t k = 0; k < columns.size(); ++k) {
        const auto column = static_cast<std::size_t>(columns[k]);
        const double zero = shift(column) * factor(column);
        sum += (values[k] - zero) * (values[k] - zero) - zero * zero;
      }
    } else {
      const double* const values = scratch.values.data() + static_cast<Index>(at) * features_;
      for (Index k = 0; k < features_; ++k) sum += values[k] * values[k];
    }
    scratch.squared_lengths[at] = sum;
  }
}

void Scorer::Impl::multiply_all(const Rows& rows, Scratch& scratch, double* out) const {
  const Index count = rows.end - rows.begin;
  for (Index panel = 0; panel < panels_.count; ++panel) {
    const Index width = panels_.width(panel);
    multiply(rows, panel, scratch);
    if (is_logistic_) logistic_slopes(count, width, scratch.z.data());
    for (Index row = 0; row < count; ++row) {
      std::copy_n(scratch.z.data() + row * width, panels_.filled(panel),
                  out + row * panels_.columns + panels_.first(panel));
    }
  }
}

void Scorer::Impl::score_block(const Rows& rows, Scratch& scratch, double* out) const {
  rows.x.visit([&](const auto& x) { transform(x, rows, scratch); });
  if (!head_scores_) return multiply_all(rows, scratch, out);
  const Index count = rows.end - rows.begin;
  scratch.linear.resize(static_cast<std::size_t>(count * panels_.columns));
  multiply_all(rows, scratch, scratch.linear.data());
  const bool with_lengths = head_scores_->wants_lengths();
  if (with_lengths) measure_lengths(rows, scratch);
  head_scores_->apply(count, scratch.linear.data(),
                      with_lengths ? scratch.squared_lengths.data() : nullptr, scratch.head, out);
}

void Scorer::Impl::scores(const Features& x, Index begin, Index end, Matrix<double>& out) {
  if (x.cols() != features_) {
    throw UsageError(
        fmt::format("the data has {} features, the model was trained on {}", x.cols(), features_));
  }
  assert(begin >= 0 && begin <= end && end <= x.rows());
  assert(out.cols() == labels() && out.rows() >= end - begin);
  const Index most = block_rows(x);
  make_room({x, begin, end}, most);
  std::atomic<Index> next = begin;
  const auto work = [&](Index worker) {
    for (;;) {
      const Index first = next.fetch_add(most, std::memory_order_relaxed);
      if (first >= end) return;
      score_block({x, first, std::min(first + most, end)},
                  scratch_[static_cast<std::size_t>(worker)], out.row(first - begin).data());
    }
  };
  // Threads have scratch each, rather than blocks: how many there are is not known beforehand.
  const Index blocks = (end - begin + most - 1) / most;
  pool_.run(std::min<Index>(pool_.size(), blocks), work);
}

Scorer::Scorer(const Model& model, bool with_link, Threads threads)
    : impl_(std::make_unique<Impl>(model, with_link, threads)) {}
Scorer::~Scorer() = default;
Scorer::Scorer(Scorer&&) noexcept = default;
Scorer& Scorer::operator=(Scorer&&) noexcept = default;

Index Scorer::features() const noexcept { return impl_->features(); }
Index Scorer::labels() const noexcept { return impl_->labels(); }

void Scorer::scores(const Features& x, Index begin, Index end, Matrix<double>& out) {
  impl_->scores(x, begin, end, out);
}

}  // namespace mugrad

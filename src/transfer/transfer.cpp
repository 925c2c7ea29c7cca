// SPDX-License-Identifier: MIT
#include "linalg/pass/panels.h"
#include "transfer/label_product.h"

#include <mugrad/core/error.h>
#include <mugrad/transfer/transfer.h>

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <type_traits>

namespace mugrad {
namespace {

template <class Real>
class ElementwiseTransfer final : public Transfer<Real> {
 public:
  ElementwiseTransfer(const TransferSlices& slices, ThreadPool& pool)
      : tasks_(slices.matrices.front().rows()),
        of_parameter_(slices.of_parameter),
        of_the_rest_(slices.of_the_rest),
        pool_(pool) {
    for (const auto& matrix : slices.matrices) {
      slices_.emplace_back(matrix);
      scratch_size_ = std::max(scratch_size_, slices_.back().scratch_size());
    }
    scratch_size_ = (scratch_size_ + kLine<Real> - 1) / kLine<Real> * kLine<Real>;
    const bool one_for_all = slices.matrices.size() == 1 && of_the_rest_ == 0;
    const bool own_intercepts = of_parameter_ == std::vector{TransferSlices::kOwn};
    if (own_intercepts) intercepts_ = Intercepts::own;
    if (!one_for_all || !(own_intercepts || of_parameter_.empty())) return;
    matrix_ = slices.matrices.front();
    reversing_weights_ = reversing_weights_of(matrix_);
    find_excess();
  }

  Index tasks() const override { return tasks_; }
  const CsrMatrix<double>* matrix() const override {
    return matrix_.rows() > 0 ? &matrix_ : nullptr;
  }
  std::span<const double> reversing_weights() const override { return reversing_weights_; }
  Intercepts intercepts() const override { return intercepts_; }
  std::span<const double> excess() const override { return excess_; }

  void apply(const Matrix<Real>& weights, Matrix<Real>& borrowed) override {
    const Index rows = rows_per_item(weights.rows());
    const Index items = (weights.rows() + rows - 1) / rows;
    const Index strands = std::min(items, kMostStrands);
    if (scratch_.size() < strands * scratch_size_) {
      scratch_ = AlignedBuffer<Real>(strands * scratch_size_);
    }
    pool_.run(strands, [&](Index strand) {
      Real* const scratch = scratch_.data() + strand * scratch_size_;
      for (Index item = strand; item < items; item += strands) {
        apply_rows(weights, item * rows, std::min((item + 1) * rows, weights.rows()), scratch,
                   borrowed);
      }
    });
  }

 private:
  /// Items processed at once, each with its own scratch space.
  static constexpr Index kMostStrands = 16;

  /// Enough for an efficient product, and for at least two threads if there is enough work.
  Index rows_per_item(Index rows) const noexcept {
    constexpr Index kMost = 64;
    constexpr Index kWork = 1 << 18;  // multiplications worth waking a thread for
    const bool is_small = rows * tasks_ * tasks_ < kWork;
    return std::max<Index>(1, is_small ? rows : std::min(kMost, (rows + 1) / 2));
  }

  void find_excess() {
    if (std::is_same_v<Real, double>) return;
    for (Index i = 0; i < tasks_; ++i) {
      double excess = 0;
      for (const double entry : matrix_.row_values(i)) {
        excess += static_cast<double>(static_cast<Real>(entry)) - entry;
      }
      excess_.push_back(excess);
    }
  }

  int slice_of(Index parameter) const noexcept {
    return parameter < std::ssize(of_parameter_) ? of_parameter_[as_size(parameter)] : of_the_rest_;
  }

  void apply_rows(const Matrix<Real>& weights, Index begin, Index end, Real* scratch,
                  Matrix<Real>& borrowed) const {
    while (begin < end) {
      const int slice = slice_of(begin);
      Index same = begin + 1;  // consecutive parameters of one slice form one product
      while (same < end && slice_of(same) == slice) ++same;
      if (slice == TransferSlices::kOwn) {
        std::copy_n(weights.row(begin).data(), (same - begin) * tasks_, borrowed.row(begin).data());
      } else {
        slices_[as_size(slice)].multiply(weights, begin, same, scratch, borrowed);
      }
      begin = same;
    }
  }

  Index tasks_;
  std::vector<LabelProduct<Real>> slices_;
  Index scratch_size_ = 0;       ///< of a strand, in whole cache lines
  AlignedBuffer<Real> scratch_;  ///< of all strands
  std::vector<int> of_parameter_;
  int of_the_rest_;
  ThreadPool& pool_;
  CsrMatrix<double> matrix_;  ///< empty unless all parameters share it
  std::vector<double> reversing_weights_;
  std::vector<double> excess_;
  Intercepts intercepts_ = Intercepts::transferred;
};

void check(const TransferSlices& slices) {
  if (slices.matrices.empty()) throw UsageError("an elementwise transfer needs a matrix");
  for (std::size_t k = 0; k < slices.matrices.size(); ++k) {
    try {
      transfer_as_given(slices.matrices[k], slices.matrices.front().rows());
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("slice {}: {}", k + 1, error.what()));
    }
  }
  const auto there = std::ssize(slices.matrices);
  const auto known = [&](int slice) { return slice >= TransferSlices::kOwn && slice < there; };
  const auto unknown = std::ranges::find_if_not(slices.of_parameter, known);
  if (unknown != slices.of_parameter.end() || !known(slices.of_the_rest)) {
    const int slice = unknown != slices.of_parameter.end() ? *unknown : slices.of_the_rest;
    throw UsageError(fmt::format("a parameter uses slice {}, but there are {}", slice, there));
  }
}

template <class Real>
class ScheduledTransfer final : public Transfer<Real> {
 public:
  ScheduledTransfer(Index tasks, std::function<Transfer<Real>&(Index)> at)
      : tasks_(tasks), at_(std::move(at)) {}

  Index tasks() const override { return tasks_; }
  void begin_iteration(Index iteration) override { now_ = &at_(iteration); }
  void apply(const Matrix<Real>& weights, Matrix<Real>& borrowed) override {
    assert(now_ != nullptr && now_->tasks() == tasks_);
    now_->apply(weights, borrowed);
  }

 private:
  Index tasks_;
  std::function<Transfer<Real>&(Index)> at_;
  Transfer<Real>* now_ = nullptr;
};

}  // namespace

template <class Real>
std::unique_ptr<Transfer<Real>> elementwise_transfer(const TransferSlices& slices,
                                                     ThreadPool& pool) {
  check(slices);
  return std::make_unique<ElementwiseTransfer<Real>>(slices, pool);
}

template <class Real>
std::unique_ptr<Transfer<Real>> scalar_transfer(const CsrMatrix<double>& mbar,
                                                Intercepts intercepts, ThreadPool& pool) {
  TransferSlices slices{.matrices = {mbar}, .of_parameter = {}};
  if (intercepts == Intercepts::own) slices.of_parameter = {TransferSlices::kOwn};
  return elementwise_transfer<Real>(slices, pool);
}

template <class Real>
std::unique_ptr<Transfer<Real>> scheduled_transfer(Index tasks,
                                                   std::function<Transfer<Real>&(Index)> at) {
  return std::make_unique<ScheduledTransfer<Real>>(tasks, std::move(at));
}

template decltype(elementwise_transfer<float>) elementwise_transfer<float>;
template decltype(elementwise_transfer<double>) elementwise_transfer<double>;
template decltype(scalar_transfer<float>) scalar_transfer<float>;
template decltype(scalar_transfer<double>) scalar_transfer<double>;
template decltype(scheduled_transfer<float>) scheduled_transfer<float>;
template decltype(scheduled_transfer<double>) scheduled_transfer<double>;

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#include <mugrad/transfer/transfer.h>

#include <algorithm>
#include <cmath>

namespace mugrad {
namespace {

/// C = Yn' Yn, so row k of W C is ((w Yn') Yn): from labels to examples and back.
template <class Real>
class LowRankCosineTransfer final : public Transfer<Real> {
 public:
  LowRankCosineTransfer(const BinaryMatrix& labels, Intercepts intercepts, ThreadPool& pool)
      : labels_(labels),
        own_rows_(intercepts == Intercepts::own ? 1 : 0),
        pool_(pool),
        scale_(static_cast<std::size_t>(labels.cols)),
        row_sum_(scale_.size(), 1),
        sums_(kItems, labels.cols) {
    const auto positives = column_counts(labels);
    for (std::size_t i = 0; i < scale_.size(); ++i) {
      scale_[i] = positives[i] == 0 ? 0 : 1 / std::sqrt(static_cast<double>(positives[i]));
    }
    std::vector<double> sums(scale_.size(), 0);
    for (Index example = 0; example < labels.rows(); ++example) {
      double total = 0;
      for (const LabelId j : labels.row(example)) total += scale_[static_cast<std::size_t>(j)];
      for (const LabelId i : labels.row(example)) {
        sums[static_cast<std::size_t>(i)] += scale_[static_cast<std::size_t>(i)] * total;
      }
    }
    for (std::size_t i = 0; i < scale_.size(); ++i) {
      if (positives[i] > 0) row_sum_[i] = sums[i];
    }
  }

  Index tasks() const override { return labels_.cols; }
  std::span<const double> reversing_weights() const override { return row_sum_; }
  Intercepts intercepts() const override {
    return own_rows_ > 0 ? Intercepts::own : Intercepts::transferred;
  }

  void pull(const Matrix<Real>& weights, Matrix<Real>& pulled) override {
    const Index rows = (weights.rows() + sums_.rows() - 1) / sums_.rows();
    pool_.run(sums_.rows(), [&](Index item) {
      const Index end = std::min((item + 1) * rows, weights.rows());
      for (Index k = item * rows; k < end; ++k) {
        const auto from = weights.row(k);
        const auto to = pulled.row(k);
        if (k < own_rows_) {
          std::ranges::copy(from, to.begin());
        } else {
          pull_row(from, to, sums_.row(item));
        }
      }
    });
  }

 private:
  void pull_row(std::span<const Real> from, std::span<Real> to, std::span<double> sums) const {
    std::ranges::fill(sums, 0.0);
    for (Index example = 0; example < labels_.rows(); ++example) {
      double total = 0;
      for (const LabelId j : labels_.row(example)) {
        const auto at = static_cast<std::size_t>(j);
        total += scale_[at] * static_cast<double>(from[at]);
      }
      for (const LabelId i : labels_.row(example)) sums[static_cast<std::size_t>(i)] += total;
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
      // A label without positives neither gives nor takes.
      to[i] = scale_[i] == 0 ? from[i] : static_cast<Real>(scale_[i] * sums[i] / row_sum_[i]);
    }
  }

  static constexpr Index kItems = 16;

  const BinaryMatrix& labels_;
  Index own_rows_;
  ThreadPool& pool_;
  std::vector<double> scale_;    ///< one over the length of each label column
  std::vector<double> row_sum_;  ///< r_i
  Matrix<double> sums_;          ///< scratch, a row per item of work
};

}  // namespace

template <class Real>
std::unique_ptr<Transfer<Real>> low_rank_cosine_transfer(const BinaryMatrix& labels,
                                                         Intercepts intercepts, ThreadPool& pool) {
  return std::make_unique<LowRankCosineTransfer<Real>>(labels, intercepts, pool);
}

template std::unique_ptr<Transfer<float>> low_rank_cosine_transfer(const BinaryMatrix&, Intercepts,
                                                                   ThreadPool&);
template std::unique_ptr<Transfer<double>> low_rank_cosine_transfer(const BinaryMatrix&, Intercepts,
                                                                    ThreadPool&);

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#include "linalg/pass/design.h"
#include "linalg/pass/fused_pass.h"

#include <mugrad/transfer/transfer.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>

namespace mugrad {
namespace {

/// 1 / the length of each label column; 0 for a label without positives.
std::vector<double> inverse_lengths(const BinaryMatrix& labels) {
  std::vector<double> scale;
  for (const Index positives : column_counts(labels)) {
    scale.push_back(positives == 0 ? 0 : 1 / std::sqrt(static_cast<double>(positives)));
  }
  return scale;
}

/// The label columns, normalised to unit length.
CsrMatrix<double> unit_columns(const BinaryMatrix& labels, const std::vector<double>& scale) {
  CsrMatrix<double> result;
  result.cols = labels.cols;
  for (Index example = 0; example < labels.rows(); ++example) {
    for (const LabelId j : labels.row(example)) {
      result.column.push_back(j);
      result.value.push_back(scale[as_size(j)]);
    }
    result.end_row();
  }
  return result;
}

/// C = Yn' Yn, so W C goes from labels to examples and back: this is the pass over sparse features,
/// with examples as rows, labels as features and parameters as labels.
template <class Real>
class LowRankCosineTransfer final : public Transfer<Real> {
 public:
  LowRankCosineTransfer(const BinaryMatrix& labels, Intercepts intercepts,
                        const CsrMatrix<double>* matrix, ThreadPool& pool)
      : tasks_(labels.cols),
        intercepts_(intercepts),
        matrix_(matrix),
        pool_(pool),
        scale_(inverse_lengths(labels)),
        row_sum_(scale_.size(), 0),
        design_(unit_columns(labels, scale_), {}) {
    for (Index example = 0; example < labels.rows(); ++example) {
      double total = 0;
      for (const LabelId j : labels.row(example)) total += scale_[as_size(j)];
      for (const LabelId i : labels.row(example)) {
        row_sum_[as_size(i)] += scale_[as_size(i)] * total;
      }
    }
    for (double& sum : row_sum_) sum = sum == 0 ? 1 : sum;
    find_excess(labels);
  }

  Index tasks() const override { return tasks_; }
  const CsrMatrix<double>* matrix() const override { return matrix_; }
  std::span<const double> reversing_weights() const override { return row_sum_; }
  Intercepts intercepts() const override { return intercepts_; }
  std::span<const double> excess() const override { return excess_; }

  void apply(const Matrix<Real>& weights, Matrix<Real>& borrowed) override {
    const Index first = intercepts_ == Intercepts::own ? 1 : 0;
    if (first == 1) std::ranges::copy(weights.row(0), borrowed.row(0).begin());
    if (weights.rows() == first) return;
    // Parts of equal size, as far as possible, so that the copies keep their shape.
    const Index parameters = weights.rows() - first;
    const Index parts = (parameters + kMostParameters - 1) / kMostParameters;
    const Index most = (parameters + parts - 1) / parts;
    if (turned_.cols() != most) {
      turned_ = Matrix<Real>(tasks_ + 1, most);  // row 0, the ones, stays zero
      result_ = turned_;
      pass_.emplace(design_, most, pool_);
    }
    for (Index begin = first; begin < weights.rows(); begin += most) {
      turn(weights, begin);
      pass_->run(turned_, nullptr, Mean(row_sum_), result_, {});
      turn_back(weights, begin, borrowed);
    }
  }

 private:
  /// Parameters transposed at a time, because that takes two copies.
  static constexpr Index kMostParameters = 1024;
  static constexpr Index kTile = 64;

  static Real rounded(double number) noexcept { return static_cast<Real>(number); }

  /// The effect of rounding the entries of Yn, and the share of each sum, on a row of ones.
  void find_excess(const BinaryMatrix& labels) {
    if (std::is_same_v<Real, double>) return;
    excess_.resize(scale_.size());
    for (Index example = 0; example < labels.rows(); ++example) {
      double total = 0;
      for (const LabelId j : labels.row(example)) {
        total += static_cast<double>(rounded(scale_[as_size(j)]));
      }
      for (const LabelId j : labels.row(example)) {
        const auto i = as_size(j);
        excess_[i] += static_cast<double>(rounded(scale_[i])) * total;
      }
    }
    for (std::size_t i = 0; i < excess_.size(); ++i) {
      const bool alone = scale_[i] == 0;
      excess_[i] = alone ? 0 : static_cast<double>(rounded(1 / row_sum_[i])) * excess_[i] - 1;
    }
  }

  /// The sums divided by the row sum of each label.
  class Mean final : public PassBody<Real> {
   public:
    explicit Mean(const std::vector<double>& row_sum) : row_sum_(row_sum) {}
    void residuals(const ScoreBlock<Real>&) const override {}
    void finish(Index row, std::span<Real> sums) const override {
      if (row == 0) return;
      const Real share = rounded(1 / row_sum_[as_size(row - 1)]);
      for (Real& sum : sums) sum *= share;
    }

   private:
    const std::vector<double>& row_sum_;
  };

  /// Calls work(first, end) for tiles of tasks, in parallel.
  template <class Work>
  void for_each_tile(const Work& work) {
    pool_.run((tasks_ + kTile - 1) / kTile,
              [&](Index tile) { work(tile * kTile, std::min((tile + 1) * kTile, tasks_)); });
  }
  /// The last part may have unused columns, which keep old values.
  void turn(const Matrix<Real>& weights, Index begin) {
    const Index count = std::min(turned_.cols(), weights.rows() - begin);
    for_each_tile([&](Index first, Index end) {
      for (Index k = 0; k < count; ++k) {
        for (Index i = first; i < end; ++i) turned_(i + 1, k) = weights(begin + k, i);
      }
    });
  }
  /// A label without positives is not transferred.
  void turn_back(const Matrix<Real>& weights, Index begin, Matrix<Real>& borrowed) {
    const Index count = std::min(result_.cols(), weights.rows() - begin);
    for_each_tile([&](Index first, Index end) {
      for (Index k = 0; k < count; ++k) {
        for (Index i = first; i < end; ++i) {
          const bool alone = scale_[as_size(i)] == 0;
          borrowed(begin + k, i) = alone ? weights(begin + k, i) : result_(i + 1, k);
        }
      }
    });
  }

  Index tasks_;
  Intercepts intercepts_;
  const CsrMatrix<double>* matrix_;
  ThreadPool& pool_;
  std::vector<double> scale_;    ///< 1 / length of each label column
  std::vector<double> row_sum_;  ///< r_i
  std::vector<double> excess_;
  Design<Real> design_;  ///< of the label columns
  std::optional<FusedPass<Real>> pass_;
  Matrix<Real> turned_, result_;  ///< one row per task, after one for the ones
};

}  // namespace

bool low_rank_pays(const BinaryMatrix& labels, const CsrMatrix<double>& matrix) {
  return low_rank_pays(labels, matrix.nonzeros());
}

bool low_rank_pays(const BinaryMatrix& labels, Index entries) {
  // To the examples and back; a product with a full matrix is about five times as fast per
  // operation.
  const Index products = 2 * labels.ones() + labels.rows();
  return products < entries && 5 * products < labels.cols * labels.cols;
}

template <class Real>
std::unique_ptr<Transfer<Real>> low_rank_cosine_transfer(const BinaryMatrix& labels,
                                                         Intercepts intercepts, ThreadPool& pool,
                                                         const CsrMatrix<double>* matrix) {
  return std::make_unique<LowRankCosineTransfer<Real>>(labels, intercepts, matrix, pool);
}

template decltype(low_rank_cosine_transfer<float>) low_rank_cosine_transfer<float>;
template decltype(low_rank_cosine_transfer<double>) low_rank_cosine_transfer<double>;

}  // namespace mugrad

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

/// One over the length of each label column; 0 for a label without positives.
std::vector<double> inverse_lengths(const BinaryMatrix& labels) {
  std::vector<double> scale;
  for (const Index positives : column_counts(labels)) {
    scale.push_back(positives == 0 ? 0 : 1 / std::sqrt(static_cast<double>(positives)));
  }
  return scale;
}

/// The label columns at unit length.
CsrMatrix<double> unit_columns(const BinaryMatrix& labels, const std::vector<double>& scale) {
  CsrMatrix<double> result;
  result.cols = labels.cols;
  for (Index example = 0; example < labels.rows(); ++example) {
    for (const LabelId j : labels.row(example)) {
      result.column.push_back(j);
      result.value.push_back(scale[static_cast<std::size_t>(j)]);
    }
    result.end_row();
  }
  return result;
}

/// C = Yn' Yn, so W C is from labels to examples and back: the pass over sparse features, with
/// examples for rows, labels for features and parameters for labels.
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
      for (const LabelId j : labels.row(example)) total += scale_[static_cast<std::size_t>(j)];
      for (const LabelId i : labels.row(example)) {
        row_sum_[static_cast<std::size_t>(i)] += scale_[static_cast<std::size_t>(i)] * total;
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

  void pull(const Matrix<Real>& weights, Matrix<Real>& pulled) override {
    const Index first = intercepts_ == Intercepts::own ? 1 : 0;
    if (first == 1) std::ranges::copy(weights.row(0), pulled.row(0).begin());
    if (weights.rows() == first) return;
    // As many at a time, as evenly as can be, so that the copies need not change their shape.
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
      turn_back(weights, begin, pulled);
    }
  }

 private:
  /// Parameters that are turned at a time, since that takes two copies.
  static constexpr Index kMostParameters = 1024;
  static constexpr Index kTile = 64;

  static Real rounded(double number) noexcept { return static_cast<Real>(number); }

  /// What the rounded entries of Yn, and the rounded share of each sum, make of a row of ones.
  void find_excess(const BinaryMatrix& labels) {
    if (std::is_same_v<Real, double>) return;
    excess_.resize(scale_.size());
    for (Index example = 0; example < labels.rows(); ++example) {
      double total = 0;
      for (const LabelId j : labels.row(example)) {
        total += static_cast<double>(rounded(scale_[static_cast<std::size_t>(j)]));
      }
      for (const LabelId j : labels.row(example)) {
        const auto i = static_cast<std::size_t>(j);
        excess_[i] += static_cast<double>(rounded(scale_[i])) * total;
      }
    }
    for (std::size_t i = 0; i < excess_.size(); ++i) {
      const bool alone = scale_[i] == 0;
      excess_[i] = alone ? 0 : static_cast<double>(rounded(1 / row_sum_[i])) * excess_[i] - 1;
    }
  }

  /// The sums, each label's divided by its row sum.
  class Mean final : public PassBody<Real> {
   public:
    explicit Mean(const std::vector<double>& row_sum) : row_sum_(row_sum) {}
    void residuals(const ScoreBlock<Real>&) const override {}
    void finish(Index row, std::span<Real> sums) const override {
      if (row == 0) return;
      const Real share = rounded(1 / row_sum_[static_cast<std::size_t>(row - 1)]);
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
  /// The last part may have columns of no parameter, which hold what they held.
  void turn(const Matrix<Real>& weights, Index begin) {
    const Index count = std::min(turned_.cols(), weights.rows() - begin);
    for_each_tile([&](Index first, Index end) {
      for (Index k = 0; k < count; ++k) {
        for (Index i = first; i < end; ++i) turned_(i + 1, k) = weights(begin + k, i);
      }
    });
  }
  /// A label without positives neither gives nor takes.
  void turn_back(const Matrix<Real>& weights, Index begin, Matrix<Real>& pulled) {
    const Index count = std::min(result_.cols(), weights.rows() - begin);
    for_each_tile([&](Index first, Index end) {
      for (Index k = 0; k < count; ++k) {
        for (Index i = first; i < end; ++i) {
          const bool alone = scale_[static_cast<std::size_t>(i)] == 0;
          pulled(begin + k, i) = alone ? weights(begin + k, i) : result_(i + 1, k);
        }
      }
    });
  }

  Index tasks_;
  Intercepts intercepts_;
  const CsrMatrix<double>* matrix_;
  ThreadPool& pool_;
  std::vector<double> scale_;    ///< one over the length of each label column
  std::vector<double> row_sum_;  ///< r_i
  std::vector<double> excess_;
  Design<Real> design_;  ///< of the label columns
  std::optional<FusedPass<Real>> pass_;
  Matrix<Real> turned_, result_;  ///< a row per task after one for the ones
};

}  // namespace

bool low_rank_pays(const BinaryMatrix& labels, const CsrMatrix<double>& matrix) {
  return low_rank_pays(labels, matrix.nonzeros());
}

bool low_rank_pays(const BinaryMatrix& labels, Index entries) {
  // To the examples and back; a product with a full matrix runs at some five times the rate.
  const Index products = 2 * labels.ones() + labels.rows();
  return products < entries && 5 * products < labels.cols * labels.cols;
}

template <class Real>
std::unique_ptr<Transfer<Real>> low_rank_cosine_transfer(const BinaryMatrix& labels,
                                                         Intercepts intercepts, ThreadPool& pool,
                                                         const CsrMatrix<double>* matrix) {
  return std::make_unique<LowRankCosineTransfer<Real>>(labels, intercepts, matrix, pool);
}

template std::unique_ptr<Transfer<float>> low_rank_cosine_transfer(const BinaryMatrix&, Intercepts,
                                                                   ThreadPool&,
                                                                   const CsrMatrix<double>*);
template std::unique_ptr<Transfer<double>> low_rank_cosine_transfer(const BinaryMatrix&, Intercepts,
                                                                    ThreadPool&,
                                                                    const CsrMatrix<double>*);

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#include "linalg/blas.h"

#include <mugrad/transfer/transfer.h>

#include <algorithm>
#include <cassert>

namespace mugrad {
namespace {

template <class Real>
class ScalarTransfer final : public Transfer<Real> {
 public:
  ScalarTransfer(const CsrMatrix<double>& mbar, Intercepts intercepts, ThreadPool& pool)
      : tasks_(mbar.rows()), intercepts_(intercepts), pool_(pool) {
    assert(mbar.rows() == mbar.cols);
    mbar.nonzeros() >= tasks_* tasks_ / kDenseShare ? store_dense(mbar) : store_sparse(mbar);
  }

  Index tasks() const override { return tasks_; }

  void pull(const Matrix<Real>& weights, Matrix<Real>& pulled) override {
    const Index first = intercepts_ == Intercepts::own ? 1 : 0;
    if (first == 1) std::ranges::copy(weights.row(0), pulled.row(0).begin());
    const Index rows = weights.rows() - first;
    pool_.run((rows + kRowsPerItem - 1) / kRowsPerItem, [&](Index item) {
      const Index begin = first + item * kRowsPerItem;
      const Index end = std::min(begin + kRowsPerItem, weights.rows());
      dense_.size() > 0 ? pull_dense(weights, pulled, begin, end)
                        : pull_sparse(weights, pulled, begin, end);
    });
  }

 private:
  static constexpr Index kRowsPerItem = 128;
  /// A matrix with one entry in so many is multiplied faster as a dense one.
  static constexpr Index kDenseShare = 16;

  void store_dense(const CsrMatrix<double>& mbar) {
    dense_ = Matrix<Real>(tasks_, tasks_);
    for (Index i = 0; i < tasks_; ++i) {
      const auto columns = mbar.row_columns(i);
      const auto values = mbar.row_values(i);
      for (std::size_t k = 0; k < columns.size(); ++k) {
        dense_(i, columns[k]) = static_cast<Real>(values[k]);
      }
    }
  }

  void store_sparse(const CsrMatrix<double>& mbar) {
    sparse_.cols = mbar.cols;
    sparse_.row_start = mbar.row_start;
    sparse_.column = mbar.column;
    sparse_.value.reserve(mbar.value.size());
    for (const double value : mbar.value) sparse_.value.push_back(static_cast<Real>(value));
  }

  void pull_dense(const Matrix<Real>& weights, Matrix<Real>& pulled, Index begin, Index end) {
    blas::multiply<Real>(end - begin, tasks_, tasks_, {weights.data() + begin * tasks_, tasks_},
                         {dense_.data(), tasks_, true}, 0, pulled.data() + begin * tasks_, tasks_);
  }

  void pull_sparse(const Matrix<Real>& weights, Matrix<Real>& pulled, Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const auto from = weights.row(k);
      const auto to = pulled.row(k);
      for (Index i = 0; i < tasks_; ++i) {
        const auto columns = sparse_.row_columns(i);
        const auto values = sparse_.row_values(i);
        Real sum = 0;
        for (std::size_t j = 0; j < columns.size(); ++j) {
          sum += values[j] * from[static_cast<std::size_t>(columns[j])];
        }
        to[static_cast<std::size_t>(i)] = sum;
      }
    }
  }

  Index tasks_;
  Intercepts intercepts_;
  ThreadPool& pool_;
  Matrix<Real> dense_;  ///< used when not empty
  CsrMatrix<Real> sparse_;
};

}  // namespace

template <class Real>
std::unique_ptr<Transfer<Real>> scalar_transfer(const CsrMatrix<double>& mbar,
                                                Intercepts intercepts, ThreadPool& pool) {
  return std::make_unique<ScalarTransfer<Real>>(mbar, intercepts, pool);
}

template std::unique_ptr<Transfer<float>> scalar_transfer(const CsrMatrix<double>&, Intercepts,
                                                          ThreadPool&);
template std::unique_ptr<Transfer<double>> scalar_transfer(const CsrMatrix<double>&, Intercepts,
                                                           ThreadPool&);

}  // namespace mugrad

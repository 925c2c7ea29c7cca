// SPDX-License-Identifier: MIT
#include "linalg/dense/blas.h"
#include "linalg/dense/eigenvalues.h"
#include "linalg/dense/lapack.h"

#include <mugrad/core/random.h>

#include <algorithm>
#include <mutex>
#include <span>
#include <vector>

namespace mugrad {
namespace {

constexpr int kIterations = 2;  ///< before the eigenvalues are computed
constexpr Index kSpare = 8;     ///< additional vectors, because those at the edge converge slowly

template <class Real>
void transpose(const Matrix<Real>& from, Matrix<Real>& to) {
  for (Index i = 0; i < from.rows(); ++i) {
    for (Index j = 0; j < from.cols(); ++j) to(j, i) = from(i, j);
  }
}

/// Normal numbers, the same in every call. The first ones are kept: for small matrices, drawing
/// them takes as long as a product.
class NormalNumbers {
 public:
  template <class Real>
  void fill(std::span<Real> to) {
    constexpr std::size_t kMostKept = std::size_t{1} << 16;  // 512 KiB
    const std::lock_guard lock(mutex_);
    for (std::size_t k = kept_.size(); k < std::min(to.size(), kMostKept); ++k) {
      kept_.push_back(random_.normal());
    }
    const std::size_t known = std::min(to.size(), kept_.size());
    std::transform(kept_.begin(), kept_.begin() + as_index(known), to.begin(),
                   [](double number) { return static_cast<Real>(number); });
    RandomStream rest = random_;
    for (Real& number : to.subspan(known)) number = static_cast<Real>(rest.normal());
  }

 private:
  std::mutex mutex_;
  RandomStream random_{1, "leading-eigenpairs"};  ///< past the kept numbers
  std::vector<double> kept_;
};

template <class Real>
Matrix<Real> random_rows(Index count, Index n) {
  static NormalNumbers numbers;
  Matrix<Real> rows(count, n);
  numbers.fill(rows.values());
  return rows;
}

/// The eigenpairs of the matrix restricted to the span of `basis` (Rayleigh and Ritz), given the
/// product of the matrix with the basis.
template <class Real>
Eigenpairs<Real> within(const Matrix<Real>& basis, const Matrix<Real>& product, Index count) {
  const Index m = basis.rows();
  const Index n = basis.cols();
  Matrix<double> small(m, m);
  // Row by row of the product, where each entry sums in the order of the features.
  for (Index k = 0; k < n; ++k) {
    for (Index i = 0; i < m; ++i) {
      const auto v = static_cast<double>(basis(i, k));
      const auto from = product.row(k).first(as_size(i) + 1);
      const auto to = small.row(i);
      for (std::size_t j = 0; j < from.size(); ++j) to[j] += v * static_cast<double>(from[j]);
    }
  }
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < i; ++j) small(j, i) = small(i, j);
  }
  const auto eigen = symmetric_eigen(small);  // ascending
  Eigenpairs<Real> pairs;
  Matrix<Real> turn(count, m);
  for (Index k = 0; k < count; ++k) {
    pairs.values.push_back(std::max(0.0, eigen.values[as_size(m - 1 - k)]));
    const auto from = eigen.vectors.row(m - 1 - k);
    std::ranges::transform(from, turn.row(k).begin(),
                           [](double entry) { return static_cast<Real>(entry); });
  }
  pairs.vectors = Matrix<Real>(count, n);
  blas::multiply<Real>(count, n, m, {turn.data(), m}, {basis.data(), n}, 0, pairs.vectors.data(),
                       n);
  return pairs;
}

}  // namespace

Index carried_vectors(Index n, Index count) noexcept { return std::min(n, count + kSpare); }

template <class Real>
Eigenpairs<Real> leading_eigenpairs(
    Index n, Index count, const std::function<void(const Matrix<Real>&, Matrix<Real>&)>& multiply) {
  const Index carried = carried_vectors(n, count);
  const bool whole = carried == n;
  Matrix<Real> basis = whole ? Matrix<Real>(n, n) : random_rows<Real>(carried, n);
  if (whole) {
    for (Index k = 0; k < n; ++k) basis(k, k) = 1;
  }
  Matrix<Real> columns(n, carried);
  Matrix<Real> product(n, carried);
  Index products = 0;
  const auto apply = [&] {
    transpose(basis, columns);
    multiply(columns, product);
    ++products;
  };
  for (int iteration = 0; iteration < (whole ? 0 : kIterations); ++iteration) {
    apply();
    transpose(product, basis);
    orthonormalise_rows(basis);
  }
  apply();
  auto pairs = within(basis, product, whole ? n : count);
  pairs.products = products;
  return pairs;
}

template decltype(leading_eigenpairs<float>) leading_eigenpairs<float>;
template decltype(leading_eigenpairs<double>) leading_eigenpairs<double>;

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#include "linalg/dense/cholesky.h"

#include "linalg/dense/openblas.h"
#include "linalg/dense/workspace.h"

#include <cassert>

namespace mugrad {
namespace {

/// The squares of a column of U add up to the diagonal entry of A.
bool pivots_exceed(const Matrix<double>& u, double share) noexcept {
  for (Index i = 0; i < u.rows(); ++i) {
    double entry = 0;
    for (Index k = 0; k <= i; ++k) entry += u(k, i) * u(k, i);
    if (!(u(i, i) * u(i, i) > share * entry)) return false;
  }
  return true;
}

}  // namespace

bool factor_positive_definite(Matrix<double>& a, double least_pivot) {
  assert(a.rows() == a.cols());
  if (a.rows() == 0) return true;
  const blas::Workspace workspace;
  const int n = static_cast<int>(a.rows());
  int info = 0;
  // Column by column the upper triangle is the lower one.
  dpotrf_("L", &n, a.data(), &n, &info, 1);
  return info == 0 && (least_pivot == 0 || pivots_exceed(a, least_pivot));
}

void solve_factored(const Matrix<double>& u, std::span<double> b) {
  assert(std::ssize(b) == u.rows());
  if (b.empty()) return;
  const blas::Workspace workspace;
  const int n = static_cast<int>(u.rows());
  for (const auto side : {CblasTrans, CblasNoTrans}) {
    cblas_dtrsv(CblasRowMajor, CblasUpper, side, CblasNonUnit, n, u.data(), n, b.data(), 1);
  }
}

}  // namespace mugrad

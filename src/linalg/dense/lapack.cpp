// SPDX-License-Identifier: MIT
#include "linalg/dense/lapack.h"

#include "linalg/dense/openblas.h"
#include "linalg/dense/workspace.h"

#include <mugrad/core/error.h>

#include <algorithm>
#include <cassert>
#include <vector>

namespace mugrad {
namespace {

void factor(int rows, int cols, float* a, float* tau, float* work, int size, int* info) {
  sgeqrf_(&rows, &cols, a, &rows, tau, work, &size, info);
}
void factor(int rows, int cols, double* a, double* tau, double* work, int size, int* info) {
  dgeqrf_(&rows, &cols, a, &rows, tau, work, &size, info);
}
void expand(int rows, int cols, float* a, const float* tau, float* work, int size, int* info) {
  sorgqr_(&rows, &cols, &cols, a, &rows, tau, work, &size, info);
}
void expand(int rows, int cols, double* a, const double* tau, double* work, int size, int* info) {
  dorgqr_(&rows, &cols, &cols, a, &rows, tau, work, &size, info);
}

/// Block size with which LAPACK is fast.
constexpr int kBlock = 32;

}  // namespace

template <class Real>
void orthonormalise_rows(Matrix<Real>& v) {
  assert(v.rows() <= v.cols());
  if (v.rows() == 0) return;
  const blas::Workspace workspace;
  // In LAPACK's column-major order the matrix is its transpose.
  const int length = static_cast<int>(v.cols());
  const int count = static_cast<int>(v.rows());
  std::vector<Real> tau(as_size(count));
  std::vector<Real> work(as_size(count) * kBlock);
  const int work_size = static_cast<int>(work.size());
  int info = 0;
  factor(length, count, v.data(), tau.data(), work.data(), work_size, &info);
  assert(info == 0);
  expand(length, count, v.data(), tau.data(), work.data(), work_size, &info);
  assert(info == 0);
}

void invert(Matrix<double>& a) {
  assert(a.rows() == a.cols());
  if (a.rows() == 0) return;
  const blas::Workspace workspace;
  // The inverse of the transpose is the transpose of the inverse, so the storage order has no
  // effect.
  const int n = static_cast<int>(a.rows());
  std::vector<int> pivots(as_size(n));
  std::vector<double> work(as_size(n) * kBlock);
  const int work_size = static_cast<int>(work.size());
  int info = 0;
  dgetrf_(&n, &n, a.data(), &n, pivots.data(), &info);
  if (info == 0) dgetri_(&n, a.data(), &n, pivots.data(), work.data(), &work_size, &info);
  if (info != 0) throw Error("a matrix that must be inverted is singular");
}

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

void invert_factor(Matrix<double>& u) {
  assert(u.rows() == u.cols());
  if (u.rows() == 0) return;
  const blas::Workspace workspace;
  const int n = static_cast<int>(u.rows());
  int info = 0;
  dtrtri_("L", "N", &n, u.data(), &n, &info, 1, 1);
  assert(info == 0);
  for (Index i = 1; i < u.rows(); ++i) std::ranges::fill(u.row(i).first(as_size(i)), 0.0);
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

template void orthonormalise_rows(Matrix<float>&);
template void orthonormalise_rows(Matrix<double>&);

}  // namespace mugrad

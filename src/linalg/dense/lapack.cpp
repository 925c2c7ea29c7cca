// SPDX-License-Identifier: MIT
#include "linalg/dense/lapack.h"

#include "linalg/dense/openblas.h"
#include "linalg/dense/workspace.h"

#include <mugrad/core/error.h>

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

/// LAPACK works fast in so many columns at a time.
constexpr int kBlock = 32;

}  // namespace

template <class Real>
void orthonormalise_rows(Matrix<Real>& v) {
  assert(v.rows() <= v.cols());
  if (v.rows() == 0) return;
  const blas::Workspace workspace;
  // Column by column, as LAPACK reads it, the matrix is its transpose.
  const int length = static_cast<int>(v.cols());
  const int count = static_cast<int>(v.rows());
  std::vector<Real> tau(static_cast<std::size_t>(count));
  std::vector<Real> work(static_cast<std::size_t>(count) * kBlock);
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
  // The inverse of the transpose is the transpose of the inverse, so the order does not matter.
  const int n = static_cast<int>(a.rows());
  std::vector<int> pivots(static_cast<std::size_t>(n));
  std::vector<double> work(static_cast<std::size_t>(n) * kBlock);
  const int work_size = static_cast<int>(work.size());
  int info = 0;
  dgetrf_(&n, &n, a.data(), &n, pivots.data(), &info);
  if (info == 0) dgetri_(&n, a.data(), &n, pivots.data(), work.data(), &work_size, &info);
  if (info != 0) throw Error("a matrix that must be inverted is singular");
}

template void orthonormalise_rows(Matrix<float>&);
template void orthonormalise_rows(Matrix<double>&);

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#include "linalg/dense/eigenvalues.h"
#include "linalg/dense/openblas.h"
#include "linalg/dense/workspace.h"

#include <mugrad/core/error.h>

#include <cassert>
#include <vector>

namespace mugrad {

namespace {

/// Calls `call(work, size, info)` for the best size of its scratch memory, then with that memory.
template <class Call>
void with_scratch(const Call& call) {
  int info = 0;
  double best_size = 0;
  call(&best_size, -1, &info);
  std::vector<double> work(static_cast<std::size_t>(best_size));
  call(work.data(), static_cast<int>(work.size()), &info);
  if (info != 0) throw Error("the eigenvalues of a symmetric matrix could not be computed");
}

}  // namespace

// Divide and conquer, many times faster than the QR iteration of dsyev for hundreds of rows. LAPACK
// has the same steps in one call, dsyevd, which needs the Fortran library.
SymmetricEigen symmetric_eigen(const Matrix<double>& a) {
  assert(a.rows() == a.cols());
  const int n = static_cast<int>(a.rows());
  SymmetricEigen eigen{.values = std::vector<double>(as_size(n)), .vectors = a};
  if (n == 0) return eigen;
  const blas::Workspace workspace;
  double* const vectors = eigen.vectors.data();
  std::vector<double> beside(as_size(n)), tau(as_size(n));
  // In column-major order the lower triangle is the upper one, and vectors are returned as rows.
  with_scratch([&](double* work, int size, int* info) {
    dsytrd_("U", &n, vectors, &n, eigen.values.data(), beside.data(), tau.data(), work, &size, info,
            1);
  });
  with_scratch([&](double* work, int size, int* info) {
    dorgtr_("U", &n, vectors, &n, tau.data(), work, &size, info, 1);
  });
  std::vector<int> whole_work(1);
  with_scratch([&](double* work, int size, int* info) {
    const int whole_size = size < 0 ? -1 : whole_work.front();
    if (size >= 0) whole_work.resize(as_size(whole_size));
    dstedc_("V", &n, eigen.values.data(), beside.data(), vectors, &n, work, &size,
            whole_work.data(), &whole_size, info, 1);
  });
  return eigen;
}

Matrix<double> SymmetricEigen::apply(const std::function<double(double)>& function) const {
  const Index n = vectors.rows();
  Matrix<double> result(n, n);
  for (Index k = 0; k < n; ++k) {
    const double value = function(values[as_size(k)]);
    const auto u = vectors.row(k);
    for (Index i = 0; i < n; ++i) {
      const double times = value * u[as_size(i)];
      for (Index j = 0; j <= i; ++j) result(i, j) += times * u[as_size(j)];
    }
  }
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < i; ++j) result(j, i) = result(i, j);
  }
  return result;
}

}  // namespace mugrad

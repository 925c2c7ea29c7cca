// SPDX-License-Identifier: MIT
#include "linalg/dense/eigenvalues.h"
#include "linalg/dense/openblas.h"
#include "linalg/dense/workspace.h"

#include <mugrad/core/error.h>

#include <cassert>

namespace mugrad {

SymmetricEigen symmetric_eigen(const Matrix<double>& a) {
  assert(a.rows() == a.cols());
  const int n = static_cast<int>(a.rows());
  SymmetricEigen eigen{.values = std::vector<double>(as_size(n)), .vectors = a};
  if (n == 0) return eigen;
  const blas::Workspace workspace;
  int info = 0;
  const auto call = [&](double* work, int work_size) {
    // In column-major order the lower triangle is the upper one, and vectors are returned as rows.
    dsyev_("V", "U", &n, eigen.vectors.data(), &n, eigen.values.data(), work, &work_size, &info, 1,
           1);
  };
  double best_size = 0;
  call(&best_size, -1);
  std::vector<double> work(static_cast<std::size_t>(best_size));
  call(work.data(), static_cast<int>(work.size()));
  if (info != 0) throw Error("the eigenvalues of a symmetric matrix could not be computed");
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

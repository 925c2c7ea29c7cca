// SPDX-License-Identifier: MIT
#include "linalg/dense/blas.h"

#include "linalg/dense/openblas.h"
#include "linalg/dense/workspace.h"

namespace mugrad::blas {
namespace {

CBLAS_TRANSPOSE flag(bool transposed) noexcept { return transposed ? CblasTrans : CblasNoTrans; }

}  // namespace

template <>
void multiply(Index m, Index n, Index k, Operand<float> a, Operand<float> b, float beta, float* c,
              Index c_stride) {
  const Workspace workspace;
  cblas_sgemm(CblasRowMajor, flag(a.transposed), flag(b.transposed), static_cast<int>(m),
              static_cast<int>(n), static_cast<int>(k), 1.0F, a.data, static_cast<int>(a.stride),
              b.data, static_cast<int>(b.stride), beta, c, static_cast<int>(c_stride));
}

template <>
void multiply(Index m, Index n, Index k, Operand<double> a, Operand<double> b, double beta,
              double* c, Index c_stride) {
  const Workspace workspace;
  cblas_dgemm(CblasRowMajor, flag(a.transposed), flag(b.transposed), static_cast<int>(m),
              static_cast<int>(n), static_cast<int>(k), 1.0, a.data, static_cast<int>(a.stride),
              b.data, static_cast<int>(b.stride), beta, c, static_cast<int>(c_stride));
}

void multiply_with_itself(Index rows, Index cols, const double* a, double* c) {
  const Workspace workspace;
  cblas_dsyrk(CblasRowMajor, CblasUpper, CblasTrans, static_cast<int>(cols), static_cast<int>(rows),
              1.0, a, static_cast<int>(cols), 0.0, c, static_cast<int>(cols));
}

}  // namespace mugrad::blas

// SPDX-License-Identifier: MIT
// The calls of LAPACK that are made here. It is part of OpenBLAS; its C header is a package of its
// own, which a few calls do not merit. The hidden lengths of characters follow the arguments.
#pragma once

#include <cstddef>

// NOLINTBEGIN(readability-identifier-naming): Fortran's names
extern "C" {
void sgeqrf_(const int* rows, const int* cols, float* a, const int* stride, float* tau, float* work,
             const int* work_size, int* info);
void dgeqrf_(const int* rows, const int* cols, double* a, const int* stride, double* tau,
             double* work, const int* work_size, int* info);
void sorgqr_(const int* rows, const int* cols, const int* reflectors, float* a, const int* stride,
             const float* tau, float* work, const int* work_size, int* info);
void dorgqr_(const int* rows, const int* cols, const int* reflectors, double* a, const int* stride,
             const double* tau, double* work, const int* work_size, int* info);
void dgetrf_(const int* rows, const int* cols, double* a, const int* stride, int* pivots,
             int* info);
void dgetri_(const int* n, double* a, const int* stride, const int* pivots, double* work,
             const int* work_size, int* info);
void dpotrf_(const char* triangle, const int* n, double* a, const int* stride, int* info,
             std::size_t triangle_length);
void dsyev_(const char* job, const char* triangle, const int* n, double* a, const int* stride,
            double* values, double* work, const int* work_size, int* info, std::size_t job_length,
            std::size_t triangle_length);
}
// NOLINTEND(readability-identifier-naming)

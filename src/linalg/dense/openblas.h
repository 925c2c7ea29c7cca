// SPDX-License-Identifier: MIT
// The functions of OpenBLAS that Mugrad calls. A serial OpenBLAS inside the library has names of
// its own, so that it can coexist with any other BLAS in the process; cmake/openblas.cmake reads
// these lines and renames the functions.
#pragma once

// NOLINTBEGIN(readability-identifier-naming,bugprone-reserved-identifier): others' names
#ifdef MUGRAD_OWN_OPENBLAS
#define cblas_dgemm mugrad_cblas_dgemm
#define cblas_dsyrk mugrad_cblas_dsyrk
#define cblas_dtrsv mugrad_cblas_dtrsv
#define cblas_sgemm mugrad_cblas_sgemm
#define dgeqrf_ mugrad_dgeqrf_
#define dgetrf_ mugrad_dgetrf_
#define dgetri_ mugrad_dgetri_
#define dorgqr_ mugrad_dorgqr_
#define dorgtr_ mugrad_dorgtr_
#define dpotrf_ mugrad_dpotrf_
#define dstedc_ mugrad_dstedc_
#define dsytrd_ mugrad_dsytrd_
#define dtrtri_ mugrad_dtrtri_
#define openblas_get_corename mugrad_openblas_get_corename
#define sgeqrf_ mugrad_sgeqrf_
#define sorgqr_ mugrad_sorgqr_
// Scratch memory: OpenBLAS requests it through the first three functions, which
// linalg/dense/workspace.cpp defines; the last one allocates it.
#define __wrap_blas_memory_alloc mugrad_blas_memory_alloc
#define __wrap_blas_memory_free mugrad_blas_memory_free
#define __wrap_malloc mugrad_blas_malloc
#define blas_memory_alloc_nolock mugrad_blas_memory_alloc_nolock
#endif

#include <cblas.h>

#include <cstddef>

// LAPACK is part of OpenBLAS. Its C header is a separate package, not worth it for a few functions.
// The hidden lengths of characters follow the arguments.
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
void dsytrd_(const char* triangle, const int* n, double* a, const int* stride, double* diagonal,
             double* beside, double* tau, double* work, const int* work_size, int* info,
             std::size_t triangle_length);
void dtrtri_(const char* triangle, const char* diagonal, const int* n, double* a, const int* stride,
             int* info, std::size_t triangle_length, std::size_t diagonal_length);
void dorgtr_(const char* triangle, const int* n, double* a, const int* stride, const double* tau,
             double* work, const int* work_size, int* info, std::size_t triangle_length);
void dstedc_(const char* job, const int* n, double* diagonal, double* beside, double* vectors,
             const int* stride, double* work, const int* work_size, int* whole_work,
             const int* whole_work_size, int* info, std::size_t job_length);
}
// NOLINTEND(readability-identifier-naming,bugprone-reserved-identifier)

// SPDX-License-Identifier: MIT
#include "linalg/dense/workspace.h"

#include "linalg/dense/blas.h"
#include "support/sanitizers.h"

#include <mugrad/core/random.h>
#include <mugrad/linalg/matrix.h>

#include <gtest/gtest.h>

#include <barrier>
#include <cstdint>
#include <new>
#include <set>
#include <thread>
#include <vector>

#ifdef MUGRAD_OWN_OPENBLAS
extern "C" {
// As OpenBLAS calls them.
void* mugrad_blas_memory_alloc(int caller);
void mugrad_blas_memory_free(void* memory);
void* mugrad_blas_malloc(std::size_t size);
}
#endif

namespace mugrad {
namespace {

constexpr int kThreads = 6;

/// Calls work(number) in several threads at once.
template <class Work>
void in_threads(const Work& work) {
  std::vector<std::thread> threads;
  for (int number = 0; number < kThreads; ++number) threads.emplace_back(work, number);
  for (auto& thread : threads) thread.join();
}

Matrix<double> product(const Matrix<double>& a) {
  Matrix<double> result(a.rows(), a.cols());
  blas::multiply<double>(a.rows(), a.cols(), a.cols(), {a.data(), a.cols()}, {a.data(), a.cols()},
                         0, result.data(), result.cols());
  return result;
}

TEST(Workspace, ProductsOfManyThreadsAtOnceAreThoseOfOne) {
  constexpr Index kSize = 120;
  std::vector<Matrix<double>> factors, expected;
  for (int number = 0; number < kThreads; ++number) {
    RandomStream random(static_cast<std::uint64_t>(number), "workspace");
    Matrix<double> factor(kSize, kSize);
    for (double& entry : factor.values()) entry = random.normal();
    expected.push_back(product(factor));
    factors.push_back(std::move(factor));
  }
  std::vector<int> wrong(kThreads, 0);
  in_threads([&](int number) {
    const auto at = static_cast<std::size_t>(number);
    for (int repeat = 0; repeat < 500; ++repeat) wrong[at] += product(factors[at]) != expected[at];
  });
  EXPECT_EQ(wrong, std::vector<int>(kThreads, 0));
}

#ifdef MUGRAD_OWN_OPENBLAS
TEST(Workspace, OpenBlasGetsThatOfItsThreadAndNoTwoThreadsShareOne) {
  std::vector<void*> got(kThreads);
  std::barrier all_have_one(kThreads);
  in_threads([&](int number) {
    const blas::Workspace workspace;
    void* const memory = mugrad_blas_memory_alloc(0);
    all_have_one.arrive_and_wait();
    mugrad_blas_memory_free(memory);
    EXPECT_EQ(mugrad_blas_memory_alloc(0), memory);
    mugrad_blas_memory_free(memory);
    got[static_cast<std::size_t>(number)] = memory;
  });
  EXPECT_EQ(std::set<void*>(got.begin(), got.end()).size(), got.size());
}

#ifndef MUGRAD_SANITIZED
TEST(Workspace, KernelThatGetsNoMemoryIsAnErrorAndNoCrash) {
  volatile std::size_t too_much = PTRDIFF_MAX;
  EXPECT_EQ(mugrad_blas_malloc(too_much), nullptr) << "outside a call, OpenBLAS looks itself";
  {
    const blas::Workspace workspace;
    mugrad_blas_memory_alloc(0);
    EXPECT_THROW(mugrad_blas_malloc(too_much), std::bad_alloc);
  }
  const blas::Workspace workspace;
  EXPECT_NO_FATAL_FAILURE(mugrad_blas_memory_free(mugrad_blas_memory_alloc(0)));
}
#endif
#endif

}  // namespace
}  // namespace mugrad

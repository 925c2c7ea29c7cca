// SPDX-License-Identifier: MIT
#include "linalg/dense/gaussian_kernel.h"

#include "linalg/dense/blas.h"
#include "linalg/dense_rows.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace mugrad {
namespace {

/// Rows of the kernel that are one piece of work.
constexpr Index kPanel = 128;

/// Panels between two updates of the progress.
constexpr Index kPanelsAtOnce = 16;

/// Calls work(begin, end) for the panels of so many rows.
template <class Work>
void for_each_panel(Index rows, ThreadPool& pool, const Work& work) {
  pool.run((rows + kPanel - 1) / kPanel,
           [&](Index item) { work(item * kPanel, std::min((item + 1) * kPanel, rows)); });
}

/// The squared distances below the diagonal; returns the mean distance.
double fill_squared_distances(const Matrix<double>& rows, ThreadPool& pool, Progress* progress,
                              Matrix<double>& to) {
  const Index n = rows.rows();
  const auto lengths = squared_lengths(rows);
  std::vector<double> sums(static_cast<std::size_t>(n));
  const auto fill = [&](Index begin, Index end) {
    blas::multiply<double>(end - begin, end, rows.cols(),
                           {rows.data() + begin * rows.cols(), rows.cols()},
                           {rows.data(), rows.cols(), true}, 0, to.data() + begin * n, n);
    for (Index i = begin; i < end; ++i) {
      const auto row = to.row(i).first(static_cast<std::size_t>(i));
      const double length = lengths[static_cast<std::size_t>(i)];
      double sum = 0;
      for (std::size_t j = 0; j < row.size(); ++j) {
        row[j] = std::max(0.0, length + lengths[j] - 2 * row[j]);
        sum += std::sqrt(row[j]);
      }
      sums[static_cast<std::size_t>(i)] = sum;
    }
  };
  for (Index begin = 0; begin < n; begin += kPanelsAtOnce * kPanel) {
    // Row i costs i products.
    const double share = static_cast<double>(begin) / static_cast<double>(n);
    advance(progress, share * share);
    const Index count = std::min(kPanelsAtOnce * kPanel, n - begin);
    for_each_panel(count, pool,
                   [&](Index first, Index last) { fill(begin + first, begin + last); });
  }
  advance(progress, 1);
  const double pairs = static_cast<double>(n) * static_cast<double>(n - 1) / 2;
  return n < 2 ? 0 : std::accumulate(sums.begin(), sums.end(), 0.0) / pairs;
}

}  // namespace

GaussianKernel gaussian_kernel(const Matrix<double>& rows, ThreadPool& pool, Progress* progress) {
  const Index n = rows.rows();
  GaussianKernel kernel{.values = Matrix<double>(n, n)};
  auto& values = kernel.values;
  const double distance = fill_squared_distances(rows, pool, progress, values);
  if (distance > 0) kernel.width = distance;
  const double factor = -1 / (2 * kernel.width * kernel.width);
  for_each_panel(n, pool, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      for (double& entry : values.row(i).first(static_cast<std::size_t>(i))) {
        entry = std::exp(factor * entry);
      }
      values(i, i) = 1;
    }
  });
  for_each_panel(n, pool, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      for (Index j = i + 1; j < n; ++j) values(i, j) = values(j, i);
    }
  });
  return kernel;
}

}  // namespace mugrad

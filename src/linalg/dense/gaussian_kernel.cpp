// SPDX-License-Identifier: MIT
#include "linalg/dense/gaussian_kernel.h"

#include "linalg/dense/blas.h"
#include "linalg/scaled_rows.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace mugrad {
namespace {

/// Rows of the kernel per work item.
constexpr Index kPanel = 128;

/// Panels between two progress updates.
constexpr Index kPanelsAtOnce = 16;

/// Calls work(begin, end) for the panels of these rows.
template <class Work>
void for_each_panel(Index rows, ThreadPool& pool, const Work& work) {
  pool.run((rows + kPanel - 1) / kPanel,
           [&](Index item) { work(item * kPanel, std::min((item + 1) * kPanel, rows)); });
}

/// The mean of the distances whose squares are below the diagonal; 0 without any.
double mean_distance(const Matrix<double>& squared, ThreadPool& pool) {
  const Index n = squared.rows();
  std::vector<double> sums(as_size(n));
  for_each_panel(n, pool, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      for (const double square : squared.row(i).first(as_size(i))) {
        sums[as_size(i)] += std::sqrt(square);
      }
    }
  });
  const double pairs = static_cast<double>(n) * static_cast<double>(n - 1) / 2;
  return n < 2 ? 0 : std::accumulate(sums.begin(), sums.end(), 0.0) / pairs;
}

}  // namespace

Matrix<double> squared_distances(const Matrix<double>& rows, ThreadPool& pool, Progress* progress) {
  const Index n = rows.rows();
  Matrix<double> distances(n, n);
  const auto lengths = squared_lengths(rows);
  const auto fill = [&](Index begin, Index end) {
    blas::multiply<double>(end - begin, end, rows.cols(),
                           {rows.data() + begin * rows.cols(), rows.cols()},
                           {rows.data(), rows.cols(), true}, 0, distances.data() + begin * n, n);
    for (Index i = begin; i < end; ++i) {
      const auto row = distances.row(i).first(as_size(i));
      const double length = lengths[as_size(i)];
      for (std::size_t j = 0; j < row.size(); ++j) {
        row[j] = std::max(0.0, length + lengths[j] - 2 * row[j]);
      }
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
  return distances;
}

void to_similarities(double decay, ThreadPool& pool, Matrix<double>& distances) {
  const Index n = distances.rows();
  for_each_panel(n, pool, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      for (double& entry : distances.row(i).first(as_size(i))) entry = std::exp(-decay * entry);
      distances(i, i) = 1;
    }
  });
  for_each_panel(n, pool, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      for (Index j = i + 1; j < n; ++j) distances(i, j) = distances(j, i);
    }
  });
}

GaussianKernel gaussian_kernel(const Matrix<double>& rows, ThreadPool& pool, Progress* progress) {
  GaussianKernel kernel{.values = squared_distances(rows, pool, progress)};
  const double distance = mean_distance(kernel.values, pool);
  if (distance > 0) kernel.width = distance;
  to_similarities(1 / (2 * kernel.width * kernel.width), pool, kernel.values);
  return kernel;
}

}  // namespace mugrad

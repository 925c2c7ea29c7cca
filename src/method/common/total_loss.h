// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/objective/task_set.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace mugrad {

/// sum_i f_i, one block of tasks at a time: all gradients may not fit into memory.
template <class Real>
double total_loss(TaskSet<Real>& tasks, const Matrix<Real>& weights) {
  constexpr Index kBlock = 512;
  double total = 0;
  for (Index begin = 0; begin < tasks.tasks(); begin += kBlock) {
    std::vector<Index> which(as_size(std::min(kBlock, tasks.tasks() - begin)));
    std::iota(which.begin(), which.end(), begin);
    Matrix<Real> part(weights.rows(), std::ssize(which));
    for (Index k = 0; k < part.rows(); ++k) {
      std::copy_n(weights.row(k).begin() + begin, part.cols(), part.row(k).begin());
    }
    Matrix<Real> gradient(part.rows(), part.cols());
    std::vector<double> losses(which.size());
    tasks.gradient(which, part, gradient, {.values = losses});
    total = std::accumulate(losses.begin(), losses.end(), total);
  }
  return total;
}

}  // namespace mugrad

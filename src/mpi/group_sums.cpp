// SPDX-License-Identifier: MIT
#include "mpi/group_sums.h"

#include <algorithm>
#include <numeric>

namespace mugrad::mpi {

GroupSums::GroupSums(const Communicator& among, std::span<const Index> numbers) : among_(among) {
  const auto all = among.gather(numbers);
  order_.resize(all.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::ranges::sort(order_, {}, [&](std::size_t k) { return all[k]; });
}

std::vector<double> GroupSums::add_up(const Matrix<double>& rows) const {
  const auto all = among_.gather(rows.values());
  const auto width = static_cast<std::size_t>(rows.cols());
  std::vector<double> sums(width, 0);
  for (const std::size_t group : order_) {
    for (std::size_t k = 0; k < width; ++k) sums[k] += all[group * width + k];
  }
  return sums;
}

}  // namespace mugrad::mpi

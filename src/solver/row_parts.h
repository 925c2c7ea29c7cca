// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/matrix.h>
#include <mugrad/parallel/thread_pool.h>

#include <algorithm>
#include <span>

namespace mugrad {

/// Divides the parameters of all tasks into parts for threads: large enough to be worth waking a
/// thread, and few enough that adding up their sums is cheap. The parts depend only on the shape.
class RowParts {
 public:
  RowParts(Index rows, Index cols) noexcept
      : rows_(rows),
        part_rows_(std::max<Index>(
            {1, (rows + kParts - 1) / kParts, kEntries / std::max<Index>(1, cols)})) {}

  Index count() const noexcept { return (rows_ + part_rows_ - 1) / part_rows_; }

  /// Calls work(part, begin, end) for every part.
  template <class Work>
  void for_each(ThreadPool& pool, const Work& work) const {
    pool.run(count(), [&](Index part) {
      work(part, part * part_rows_, std::min((part + 1) * part_rows_, rows_));
    });
  }

 private:
  static constexpr Index kParts = 32;
  static constexpr Index kEntries = 1 << 14;

  Index rows_;
  Index part_rows_;
};

/// Sums per column over the parts of a matrix, added in the order of the parts.
class PartSums {
 public:
  PartSums() = default;
  /// Allocates `sums` numbers per part.
  PartSums(Index parts, Index sums) : parts_(parts, sums) {}
  void resize(Index parts, Index sums) { parts_.resize(parts, sums); }

  std::span<double> cleared(Index part) noexcept {
    const auto row = parts_.row(part);
    std::ranges::fill(row, 0.0);
    return row;
  }
  /// The sums of the first `count` parts.
  void add_up(Index count, std::span<double> sums) const noexcept {
    std::ranges::fill(sums, 0.0);
    for (Index part = 0; part < count; ++part) {
      const auto row = parts_.row(part);
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += row[i];
    }
  }

 private:
  Matrix<double> parts_;
};

}  // namespace mugrad

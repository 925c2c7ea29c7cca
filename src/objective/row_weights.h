// SPDX-License-Identifier: MIT
#pragma once

#include "linalg/pass/fused_pass.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>
#include <span>
#include <vector>

namespace mugrad {

/// How often each example counts.
class RowWeights {
 public:
  /// Empty: all count once.
  RowWeights(std::vector<double> weights, Index rows)
      : weights_(std::move(weights)),
        total_(weights_.empty() ? static_cast<double>(rows)
                                : std::accumulate(weights_.begin(), weights_.end(), 0.0)) {
    assert(weights_.empty() || std::ssize(weights_) == rows);
    assert(std::ranges::all_of(weights_, [](double weight) { return weight >= 0; }));
  }

  /// Whether any were given.
  bool any() const noexcept { return !weights_.empty(); }
  /// As they were given.
  std::span<const double> values() const noexcept { return weights_; }
  double total() const noexcept { return total_; }
  double operator[](Index row) const noexcept {
    return weights_.empty() ? 1 : weights_[static_cast<std::size_t>(row)];
  }

  /// What a block holds, times the weights of its rows.
  template <class Real>
  void multiply(const ScoreBlock<Real>& block) const noexcept {
    if (!any()) return;
    for (Index row = 0; row < block.rows; ++row) {
      const auto weight = static_cast<Real>((*this)[block.first_row + row]);
      if (weight == 1) continue;
      for (Index t = 0; t < block.width; ++t) block.z[row * block.width + t] *= weight;
    }
  }

  /// Adds to the sums of a block what `add(rows, z, values, bends)` adds to its own for a few rows
  /// at a time, times the weight of these.
  template <class Real, class Add>
  void add_sums(const ScoreBlock<Real>& block, const Add& add) const noexcept {
    if (!any()) return add(block.rows, block.z, block.values, block.bends);
    constexpr auto kWidest = static_cast<std::size_t>(kMostLines * kLine<Real>);
    alignas(64) std::array<double, kWidest> values;
    alignas(64) std::array<double, kWidest> bends;
    for (Index row = 0; row < block.rows;) {
      const double weight = (*this)[block.first_row + row];
      const Index begin = row;
      while (row < block.rows && (*this)[block.first_row + row] == weight) ++row;
      std::fill_n(values.begin(), block.width, 0.0);
      std::fill_n(bends.begin(), block.width, 0.0);
      add(row - begin, block.z + begin * block.width,
          block.values == nullptr ? nullptr : values.data(), bends.data());
      for (Index t = 0; t < block.width; ++t) {
        const auto at = static_cast<std::size_t>(t);
        block.bends[t] += weight * bends[at];
        if (block.values != nullptr) block.values[t] += weight * values[at];
      }
    }
  }

 private:
  std::vector<double> weights_;
  double total_;
};

}  // namespace mugrad

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

/// The weights of examples.
class RowWeights {
 public:
  /// Empty: all are 1.
  RowWeights(std::vector<double> weights, Index rows)
      : weights_(std::move(weights)),
        total_(weights_.empty() ? static_cast<double>(rows)
                                : std::accumulate(weights_.begin(), weights_.end(), 0.0)) {
    assert(weights_.empty() || std::ssize(weights_) == rows);
    assert(std::ranges::all_of(weights_, [](double weight) { return weight >= 0; }));
  }

  /// Whether weights were given.
  bool any() const noexcept { return !weights_.empty(); }
  /// The given weights.
  std::span<const double> values() const noexcept { return weights_; }
  double total() const noexcept { return total_; }
  double operator[](Index row) const noexcept {
    return weights_.empty() ? 1 : weights_[as_size(row)];
  }

  /// Multiplies the entries of a block by the weights of their rows.
  template <class Real>
  void multiply(const ScoreBlock<Real>& block) const noexcept {
    if (!any()) return;
    for (Index row = 0; row < block.rows; ++row) {
      const auto weight = static_cast<Real>((*this)[block.first_row + row]);
      if (weight == 1) continue;
      for (Index t = 0; t < block.width; ++t) block.z[row * block.width + t] *= weight;
    }
  }

  /// Adds the weighted sums of a block. `add(rows, z, values, curvatures)` computes the sums of a
  /// few rows of equal weight at a time.
  template <class Real, class Add>
  void add_sums(const ScoreBlock<Real>& block, const Add& add) const noexcept {
    if (!any()) return add(block.rows, block.z, block.values, block.curvatures);
    constexpr auto kWidest = as_size(kMostLines * kLine<Real>);
    alignas(64) std::array<double, kWidest> values;
    alignas(64) std::array<double, kWidest> curvatures;
    for (Index row = 0; row < block.rows;) {
      const double weight = (*this)[block.first_row + row];
      const Index begin = row;
      while (row < block.rows && (*this)[block.first_row + row] == weight) ++row;
      std::fill_n(values.begin(), block.width, 0.0);
      std::fill_n(curvatures.begin(), block.width, 0.0);
      add(row - begin, block.z + begin * block.width,
          block.values == nullptr ? nullptr : values.data(), curvatures.data());
      for (Index t = 0; t < block.width; ++t) {
        const auto at = as_size(t);
        block.curvatures[t] += weight * curvatures[at];
        if (block.values != nullptr) block.values[t] += weight * values[at];
      }
    }
  }

 private:
  std::vector<double> weights_;
  double total_;
};

}  // namespace mugrad

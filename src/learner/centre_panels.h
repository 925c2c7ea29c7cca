// SPDX-License-Identifier: MIT
#pragma once

#include "linalg/pass/panels.h"
#include "linalg/scaled_rows.h"

#include <mugrad/linalg/matrix.h>

#include <span>
#include <vector>

namespace mugrad {

/// Centres in the layout of the kernels, for the distances of many rows to all of them.
class CentrePanels {
 public:
  CentrePanels(Index centres, Index features);

  Index centres() const noexcept { return panels_.columns; }
  double& at(Index centre, Index feature) noexcept {
    const Place& place = place_[as_size(centre)];
    return entries_.data()[place.begin + feature * place.stride];
  }
  double at(Index centre, Index feature) const noexcept {
    const Place& place = place_[as_size(centre)];
    return entries_.data()[place.begin + feature * place.stride];
  }
  void set_zero() noexcept { std::fill_n(entries_.data(), entries_.size(), 0.0); }
  /// Call this after entries have changed and before they are multiplied.
  void measure() noexcept;
  /// One row per centre.
  Matrix<double> matrix() const;

  /// Calls fn(i, first, products) for the i-th row in `names`, with x.c - |c|^2 / 2 for the centres
  /// from `first` on: the nearest centre has the largest value. One panel of centres at a time,
  /// rows in order.
  /// Requires: at least one centre.
  template <class Function>
  void for_each_product(const ScaledRows& rows, std::span<const Index> names, const Function& fn) {
    for (Index panel = 0; panel < panels_.count; ++panel) {
      const Index first = panels_.first(panel);
      const double* const entries = entries_.data() + features_ * first;
      for (std::size_t i = 0; i < names.size(); ++i) {
        multiply_rows(rows.row(names[i]), entries, offset_.data() + first, panels_.width(panel),
                      products_.data());
        fn(i, first, std::span<const double>(products_.data(), as_size(panels_.filled(panel))));
      }
    }
  }

 private:
  struct Place {
    Index begin, stride;
  };

  Index features_;
  Panels panels_;
  std::vector<Place> place_;  ///< of each centre's entries
  AlignedBuffer<double> entries_;
  AlignedBuffer<double> offset_;    ///< -|c|^2 / 2
  AlignedBuffer<double> products_;  ///< of one row with one panel
};

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#include "method/draw_bag.h"

#include <mugrad/core/random.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mugrad {
namespace {

constexpr double kSubset = 0.67;

Bag bootstrap(Index rows, RandomStream random) {
  std::vector<Index> times(static_cast<std::size_t>(rows), 0);
  for (Index draw = 0; draw < rows; ++draw) ++times[random.below(times.size())];
  Bag bag;
  for (Index row = 0; row < rows; ++row) {
    if (times[static_cast<std::size_t>(row)] > 0) bag.rows.push_back(row);
  }
  std::ranges::stable_sort(bag.rows, {},
                           [&](Index row) { return times[static_cast<std::size_t>(row)]; });
  for (const Index row : bag.rows) {
    bag.counts.push_back(static_cast<double>(times[static_cast<std::size_t>(row)]));
  }
  return bag;
}

}  // namespace

Bag draw_bag(Sampling sampling, Index rows, std::uint64_t seed, Index member) {
  RandomStream random(seed, "bag", static_cast<std::uint64_t>(member));
  if (sampling == Sampling::bootstrap) return bootstrap(rows, random);
  Bag bag;
  bag.rows.resize(static_cast<std::size_t>(rows));
  std::iota(bag.rows.begin(), bag.rows.end(), Index{0});
  if (sampling == Sampling::none) return bag;
  random.shuffle(std::span(bag.rows));
  const auto share = static_cast<Index>(std::lround(kSubset * static_cast<double>(rows)));
  bag.rows.resize(static_cast<std::size_t>(std::max<Index>(1, share)));
  std::ranges::sort(bag.rows);
  return bag;
}

}  // namespace mugrad

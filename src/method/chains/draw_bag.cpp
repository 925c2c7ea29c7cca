// SPDX-License-Identifier: MIT
#include "linalg/row_weight.h"
#include "method/chains/bag.h"

#include <mugrad/core/random.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace mugrad {
namespace {

constexpr double kSubset = 0.67;

/// Puts rows of equal weight side by side.
Bag bag_of(std::vector<Index> rows, std::span<const double> count_of_row) {
  Bag bag{.rows = std::move(rows)};
  const auto count = [&](Index row) { return count_of_row[as_size(row)]; };
  std::ranges::stable_sort(bag.rows, {}, count);
  for (const Index row : bag.rows) bag.counts.push_back(count(row));
  return bag;
}

std::vector<Index> rows_that_count(Index rows, std::span<const double> row_weights) {
  std::vector<Index> result;
  for (Index row = 0; row < rows; ++row) {
    if (weight_of(row_weights, row) > 0) result.push_back(row);
  }
  return result;
}

/// Draws a position with a probability given by the running sums.
std::size_t draw_by(const std::vector<double>& sums, RandomStream& random) {
  const double at = random.uniform() * sums.back();
  const auto found = std::ranges::upper_bound(sums, at);
  return std::min(as_size(found - sums.begin()), sums.size() - 1);
}

Bag bootstrap(Index rows, std::span<const double> row_weights, RandomStream random) {
  const auto counting = rows_that_count(rows, row_weights);
  std::vector<double> sums;
  sums.reserve(counting.size());
  for (const Index row : counting) {
    sums.push_back((sums.empty() ? 0 : sums.back()) + weight_of(row_weights, row));
  }
  std::vector<double> counts(as_size(rows), 0);
  // The weight of one drawn example.
  const double share = sums.back() / static_cast<double>(counting.size());
  for (std::size_t draw = 0; draw < counting.size(); ++draw) {
    const auto place = row_weights.empty() ? random.below(counting.size()) : draw_by(sums, random);
    counts[as_size(counting[place])] += share;
  }
  std::vector<Index> drawn;
  for (const Index row : counting) {
    if (counts[as_size(row)] > 0) drawn.push_back(row);
  }
  return bag_of(std::move(drawn), counts);
}

/// All examples that count, as often as they do.
Bag every_example(Index rows, std::span<const double> row_weights) {
  auto all = rows_that_count(rows, row_weights);
  if (row_weights.empty()) return {.rows = std::move(all)};
  return bag_of(std::move(all), row_weights);
}

}  // namespace

double share_of_bag(Sampling sampling) noexcept {
  if (sampling == Sampling::none) return 1;
  return sampling == Sampling::subset ? kSubset : 1 - std::exp(-1.0);
}

Bag draw_bag(Sampling sampling, Index rows, std::span<const double> row_weights, std::uint64_t seed,
             Index member) {
  RandomStream random(seed, "bag", static_cast<std::uint64_t>(member));
  if (sampling == Sampling::bootstrap) return bootstrap(rows, row_weights, random);
  if (sampling == Sampling::none) return every_example(rows, row_weights);
  auto drawn = rows_that_count(rows, row_weights);
  random.shuffle(std::span(drawn));
  const auto share = std::lround(kSubset * static_cast<double>(drawn.size()));
  drawn.resize(as_size(std::max<long>(1, share)));
  std::ranges::sort(drawn);
  if (row_weights.empty()) return {.rows = std::move(drawn)};
  return bag_of(std::move(drawn), row_weights);
}

}  // namespace mugrad

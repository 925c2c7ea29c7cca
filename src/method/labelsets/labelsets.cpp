// SPDX-License-Identifier: MIT
#include "method/labelsets/labelsets.h"

#include <mugrad/core/random.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <set>

namespace mugrad {
namespace {

/// A uniformly random set of `size` labels (Floyd's algorithm: one draw per label).
Labelset random_labelset(Index labels, Index size, RandomStream& random) {
  Labelset chosen;
  for (Index last = labels - size; last < labels; ++last) {
    const auto drawn = static_cast<LabelId>(random.below(static_cast<std::uint64_t>(last) + 1));
    const auto at = std::ranges::lower_bound(chosen, drawn);
    if (at != chosen.end() && *at == drawn) {
      chosen.push_back(static_cast<LabelId>(last));  // larger than all earlier ones
    } else {
      chosen.insert(at, drawn);
    }
  }
  return chosen;
}

/// Draws until there are `count` different sets, in the order of drawing.
template <class Draw>
std::vector<Labelset> different_ones(Index count, const Draw& draw) {
  std::set<Labelset> seen;
  std::vector<Labelset> sets;
  while (std::ssize(sets) < count) {
    Labelset drawn = draw();
    if (seen.insert(drawn).second) sets.push_back(std::move(drawn));
  }
  return sets;
}

}  // namespace

Labelset every_label(Index labels) {
  Labelset all(as_size(labels));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

double labelset_count(Index labels, Index size) {
  double count = 1;
  for (Index k = 1; k <= std::min(size, labels - size); ++k) {
    count *= static_cast<double>(labels - k + 1) / static_cast<double>(k);
  }
  return std::round(count);
}

std::vector<Labelset> random_labelsets(Index labels, Index size, Index count, std::uint64_t seed) {
  assert(size > 0 && size <= labels);
  assert(static_cast<double>(count) <= labelset_count(labels, size));
  RandomStream random(seed, "labelsets");
  return different_ones(count, [&] { return random_labelset(labels, size, random); });
}

std::vector<Labelset> balanced_labelsets(Index labels, Index size, Index count,
                                         std::uint64_t seed) {
  assert(size > 0 && size <= labels);
  assert(static_cast<double>(count) <= labelset_count(labels, size));
  constexpr Index kPatience = 100;  // draws, after which balance may be impossible
  RandomStream random(seed, "balanced-labelsets");
  auto order = every_label(labels);
  std::vector<Index> drawn(order.size(), 0);
  std::set<Labelset> seen;
  std::vector<Labelset> sets;
  for (Index failures = 0; std::ssize(sets) < count;) {
    random.shuffle(std::span(order));
    std::ranges::stable_sort(order, std::less<>{},
                             [&](LabelId label) { return drawn[as_size(label)]; });
    Labelset set(order.begin(), order.begin() + size);
    std::ranges::sort(set);
    if (failures >= kPatience) set = random_labelset(labels, size, random);
    if (!seen.insert(set).second) {
      ++failures;
      continue;
    }
    failures = 0;
    for (const LabelId label : set) ++drawn[as_size(label)];
    sets.push_back(std::move(set));
  }
  return sets;
}

std::vector<Labelset> disjoint_labelsets(Index labels, Index size, std::uint64_t seed) {
  assert(labels > 0 && size > 0);
  auto order = every_label(labels);
  RandomStream(seed, "disjoint-labelsets").shuffle(std::span(order));
  std::vector<Labelset> sets;
  for (Index first = 0; first < labels; first += size) {
    const Index end = std::min(first + size, labels);
    const bool is_alone = end - first == 1 && size > 1 && !sets.empty();
    if (!is_alone) sets.emplace_back();
    sets.back().insert(sets.back().end(), order.begin() + first, order.begin() + end);
    std::ranges::sort(sets.back());
  }
  return sets;
}

LabelsetClasses classes_of(const BinaryMatrix& labels, std::span<const LabelId> set) {
  std::map<std::vector<LabelId>, std::int32_t> numbers;  // by first example
  LabelsetClasses result;
  std::vector<LabelId> own;
  for (Index row = 0; row < labels.rows(); ++row) {
    own.clear();
    std::ranges::set_intersection(labels.row(row), set, std::back_inserter(own));
    const auto next = static_cast<std::int32_t>(numbers.size());
    result.of_row.push_back(numbers.try_emplace(own, next).first->second);
  }
  result.classes.cols = labels.cols;
  std::vector<std::int32_t> place(numbers.size());
  for (const auto& [combination, number] : numbers) {
    place[as_size(number)] = static_cast<std::int32_t>(result.classes.rows());
    std::ranges::copy(combination, std::back_inserter(result.classes.column));
    result.classes.end_row();
  }
  for (std::int32_t& own_class : result.of_row) {
    own_class = place[as_size(own_class)];
  }
  return result;
}

Index distinct_rows(const BinaryMatrix& labels) {
  std::vector<Index> order(as_size(labels.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::sort(order, [&](Index a, Index b) {
    return std::ranges::lexicographical_compare(labels.row(a), labels.row(b));
  });
  const auto are_same = [&](Index a, Index b) {
    return std::ranges::equal(labels.row(a), labels.row(b));
  };
  return std::unique(order.begin(), order.end(), are_same) - order.begin();
}

}  // namespace mugrad

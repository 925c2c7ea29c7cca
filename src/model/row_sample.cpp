// SPDX-License-Identifier: MIT
#include "data/row_hash.h"

#include <mugrad/model/model.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace mugrad {
namespace {

/// The smallest hashes so far.
class Smallest {
 public:
  void add(Index hash, Index count) {
    const auto found = counts_.find(hash);
    if (found != counts_.end()) {
      found->second += count;
      return;
    }
    if (counts_.size() == RowSample::kMost) {
      const auto last = std::prev(counts_.end());
      if (hash > last->first) return;
      counts_.erase(last);
    }
    counts_.emplace(hash, count);
  }
  void add(const RowSample& sample) {
    for (std::size_t k = 0; k < sample.hash.size(); ++k) add(sample.hash[k], sample.count[k]);
  }

  RowSample sample() const {
    RowSample sample;
    for (const auto& [hash, count] : counts_) {
      sample.hash.push_back(hash);
      sample.count.push_back(count);
    }
    return sample;
  }

 private:
  std::map<Index, Index> counts_;
};

}  // namespace

double RowSample::repeated_share() const noexcept {
  const Index examples = std::accumulate(count.begin(), count.end(), Index{0});
  if (examples == 0) return 0;
  const Index once = std::ranges::count(count, Index{1});
  return static_cast<double>(examples - once) / static_cast<double>(examples);
}

RowSample sample_of(const Features& x, std::span<const double> row_weights) {
  Smallest smallest;
  RowHash hash_of;
  for (Index row = 0; row < x.rows(); ++row) {
    if (!row_weights.empty() && row_weights[as_size(row)] == 0) continue;
    if (const auto hash = hash_of(x, row)) smallest.add(*hash, 1);
  }
  return smallest.sample();
}

RowSample merged(const RowSample& a, const RowSample& b) {
  Smallest smallest;
  smallest.add(a);
  smallest.add(b);
  return smallest.sample();
}

SeenRows seen_rows(const RowSample& sample, const Features& x, Index begin, Index end) {
  SeenRows found;
  if (sample.is_empty()) return found;
  const bool has_all = sample.hash.size() < RowSample::kMost;
  RowHash hash_of;
  for (Index row = begin; row < end; ++row) {
    const auto hash = hash_of(x, row);
    if (!hash || (!has_all && *hash > sample.hash.back())) continue;
    ++found.compared;
    if (std::ranges::binary_search(sample.hash, *hash)) ++found.seen;
  }
  return found;
}

}  // namespace mugrad

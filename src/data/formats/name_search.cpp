// SPDX-License-Identifier: MIT
#include "data/formats/name_search.h"

#include "data/formats/source_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace mugrad::formats {
namespace {

/// Levenshtein distance: the number of insertions, deletions and replacements.
std::size_t edit_distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), 0U);
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t replaced = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row[to.size()];
}

}  // namespace

std::string did_you_mean(std::string_view unknown, const std::vector<std::string>& names) {
  // A quarter of wrong letters is a typing error; more is another name.
  std::size_t best = unknown.size() / 4 + 2;
  const std::string* closest = nullptr;
  for (const auto& name : names) {
    if (same_word(name, unknown)) return fmt::format("; did you mean {}?", shown(name));
    const auto longer = std::max(name.size(), unknown.size());
    const auto shorter = std::min(name.size(), unknown.size());
    if (longer - shorter >= best || best > longer) continue;
    const auto distance = edit_distance(unknown, name);
    if (distance < best) {
      best = distance;
      closest = &name;
    }
  }
  return closest == nullptr ? "" : fmt::format("; did you mean {}?", shown(*closest));
}

}  // namespace mugrad::formats

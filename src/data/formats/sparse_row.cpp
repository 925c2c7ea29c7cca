// SPDX-License-Identifier: MIT
#include "data/formats/sparse_row.h"

#include <fmt/format.h>

#include <algorithm>

namespace mugrad::formats {

void SparseRow::sort(const SourceText& source, std::string_view noun, Index first) {
  std::ranges::stable_sort(entries_, {}, &Entry::column);
  const auto twice = std::ranges::adjacent_find(entries_, {}, &Entry::column);
  if (twice != entries_.end()) {
    source.fail(twice[1].at,
                fmt::format("{} {} comes twice in this row", noun, twice->column + first));
  }
}

}  // namespace mugrad::formats

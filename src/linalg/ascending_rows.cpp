// SPDX-License-Identifier: MIT
#include "linalg/ascending_rows.h"

#include <algorithm>

namespace mugrad {
namespace {

/// The number of entries from begin + 1 on that are not above their predecessor.
Index count_falls(const std::int32_t* entries, Index begin, Index end) noexcept {
  constexpr Index kBlock = 1 << 16;  // small enough for narrow counters, many per vector
  Index falls = 0;
  for (Index first = begin + 1; first < end; first += kBlock) {
    const Index last = std::min(first + kBlock, end);
    std::int32_t found = 0;
    for (Index k = first; k < last; ++k) found += entries[k] <= entries[k - 1];
    falls += found;
  }
  return falls;
}

}  // namespace

/// Columns may only decrease at the start of a row, so the total number of decreases must equal
/// that at row starts. Counting all of them is vectorised.
bool rows_ascend(const CsrPattern& x, Index begin, Index end) noexcept {
  if (begin == end) return true;
  const Index first = x.row_start[begin];
  Index falls_between_rows = 0;
  for (Index row = begin; row < end; ++row) {
    const auto columns = x.row_columns(row);
    if (columns.empty()) continue;
    if (columns.front() < 0 || columns.back() >= x.cols) return false;
    const Index at = x.row_start[row];
    falls_between_rows += at > first && x.column[at] <= x.column[at - 1];
  }
  return count_falls(x.column, first, x.row_start[end]) == falls_between_rows;
}

}  // namespace mugrad

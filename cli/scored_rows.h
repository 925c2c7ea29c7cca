// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/files.h>

#include <algorithm>

namespace mugrad::cli {

/// The number of rows that each rank scores at once: few enough that the text of all ranks together
/// is small and well below the limit of one message.
constexpr Index scored_rows(Index labels, int ranks) {
  constexpr Index kScores = Index{1} << 21;
  return std::clamp<Index>(kScores / std::max<Index>(1, labels) / ranks, 1, BlockReader::kRows);
}

/// The same for a single process: as many as are read at once, unless their scores would take more
/// than half a gigabyte.
constexpr Index scored_rows(Index labels) {
  constexpr Index kScores = Index{1} << 26;
  constexpr Index kFewest = 32;  // fewer would read the weights too often
  return std::clamp<Index>(kScores / std::max<Index>(1, labels), kFewest, BlockReader::kRows);
}

}  // namespace mugrad::cli

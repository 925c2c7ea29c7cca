// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/block_reader.h>

#include <algorithm>

namespace mugrad::cli {

/// How many rows each of so many ranks scores at once: so few that what all of them together tell
/// the first stays small, and well within what one message can have.
constexpr Index scored_rows(Index labels, int ranks) {
  constexpr Index kScores = Index{1} << 21;
  return std::clamp<Index>(kScores / std::max<Index>(1, labels) / ranks, 1, BlockReader::kRows);
}

/// The same for a process alone: as many as are read at once, unless there are so many labels that
/// their scores would take more than half a gigabyte.
constexpr Index scored_rows(Index labels) {
  constexpr Index kScores = Index{1} << 26;
  constexpr Index kFewest = 32;  // fewer would have the weights read too often
  return std::clamp<Index>(kScores / std::max<Index>(1, labels), kFewest, BlockReader::kRows);
}

}  // namespace mugrad::cli

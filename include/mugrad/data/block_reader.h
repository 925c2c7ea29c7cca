// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/files.h>

#include <memory>

namespace mugrad {

/// Reads a data set of any format a block of rows at a time. Memory does not grow with the rows:
/// of the file, only what is being read is kept. (A pipe is read into memory whole; and without
/// encode_like, all distinct texts of nominals are kept.)
///
/// ARFF and CSV files with nominals are gone through once more beforehand, since what becomes of
/// a nominal depends on the values that occur, and so does what is a nominal in CSV.
class BlockReader {
 public:
  static constexpr Index kRows = 2048;

  /// Throws InputError as read_dataset does, and UsageError for Missing::mean, which every row has
  /// a say in. Requires: block_rows > 0.
  explicit BlockReader(const std::filesystem::path& path, ReadOptions options = {},
                       Index block_rows = kRows);
  ~BlockReader();
  BlockReader(BlockReader&&) noexcept;
  BlockReader& operator=(BlockReader&&) noexcept;

  /// Reads the next rows into `block`; false when there are none. Together the blocks are what
  /// read_dataset returns, but that inferred widths are those of the rows so far. Throws InputError
  /// naming file, line and column.
  bool next(Dataset& block);

  /// Passes over the next rows, as many as a block has; false when there are none. Formats that
  /// have an example per line do not look at what the lines hold.
  bool skip();

  /// The share of the file that has been read, in [0, 1].
  double share_read() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mugrad

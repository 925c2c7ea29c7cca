// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/data_shape.h>
#include <mugrad/data/dataset.h>

#include <limits>
#include <optional>

namespace mugrad::formats {

/// The examples of a file, some at a time. One call for all of them reads the file whole; the
/// blocks of many calls, put together, are the same data set.
class RowSource {
 public:
  static constexpr Index kAll = std::numeric_limits<Index>::max();

  virtual ~RowSource() = default;

  /// The next examples, `most` unless the file ends before; without rows after the last. Widths
  /// that are inferred are those of the rows so far. Throws InputError, also when the file has no
  /// examples at all.
  virtual Dataset next(Index most) = 0;
  /// Passes over the next examples and says how many; not every format looks at what they hold.
  virtual Index skip(Index most) { return next(most).rows(); }
  /// How large the data are, no less, where the head of the file says so.
  virtual std::optional<DataShape> promised() const { return std::nullopt; }
  /// Up to where the file has been read.
  virtual const char* position() const noexcept = 0;
};

}  // namespace mugrad::formats

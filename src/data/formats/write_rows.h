// SPDX-License-Identifier: MIT
#pragma once

#include "core/atomic_file.h"
#include "core/paced_progress.h"

namespace mugrad::formats {

/// Writes every row of a data set, as append(text, row) spells it. Updates `progress` once per
/// mebibyte; it may be null. Throws InputError, and InterruptedError.
template <class Append>
void write_rows(AtomicFile& file, Index rows, Progress* progress, Append append) {
  PacedProgress paced(progress, Index{1} << 20);
  std::string text;
  for (Index row = 0; row < rows; ++row) {
    text.clear();
    append(text, row);
    file.write(text);
    paced.add(std::ssize(text), share_of(row + 1, rows));
  }
}

}  // namespace mugrad::formats

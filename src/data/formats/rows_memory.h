// SPDX-License-Identifier: MIT
#pragma once

#include "core/growing_memory.h"
#include "data/formats/source_text.h"

#include <string>
#include <string_view>

namespace mugrad::formats {

/// What may help where the rows of a file are too large.
std::string smaller_table();

/// Throws MemoryError if `what` of all rows of a file takes more memory than there is. Like
/// GrowingMemory, it does not check a few megabytes.
void require_memory_for_rows(const std::string& what, double bytes, const std::string& file,
                             std::string_view would_help);

/// Checks the memory of rows while they are read.
class RowsMemory {
 public:
  explicit RowsMemory(const SourceText& source)
      : memory_("reading " + source.name(), "further rows", smaller_table()) {}

  /// Call it after each row; `rows` is anything with bytes() and bytes_to_grow(), of which the
  /// first is cheap. Throws MemoryError.
  template <class Rows>
  void check(const Rows& rows) {
    if (!memory_.is_due(rows.bytes())) return;
    memory_.check(rows.bytes(), rows.bytes_to_grow());
  }

 private:
  GrowingMemory memory_;
};

}  // namespace mugrad::formats

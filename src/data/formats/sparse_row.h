// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/source_text.h"

#include <mugrad/core/types.h>

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

namespace mugrad::formats {

/// The entries of a sparse row as they are read, each with its position in the file.
class SparseRow {
 public:
  struct Entry {
    Index column;
    double value;
    const char* at;
  };

  void clear() noexcept {
    entries_.clear();
    ascending_ = true;
  }

  void add(Index column, double value, const char* at) {
    ascending_ = ascending_ && (entries_.empty() || entries_.back().column < column);
    entries_.push_back({column, value, at});
  }

  /// The entries by ascending column. Throws InputError for a duplicate column: `noun` is the
  /// file's word for a column, `first` the number of its first one.
  std::span<const Entry> sorted(const SourceText& source, std::string_view noun, Index first = 0) {
    if (!ascending_) sort(source, noun, first);
    return entries_;
  }

 private:
  void sort(const SourceText& source, std::string_view noun, Index first) {
    std::ranges::stable_sort(entries_, {}, &Entry::column);
    const auto twice = std::ranges::adjacent_find(entries_, {}, &Entry::column);
    if (twice != entries_.end()) {
      source.fail(twice[1].at,
                  fmt::format("{} {} comes twice in this row", noun, twice->column + first));
    }
  }

  std::vector<Entry> entries_;
  bool ascending_ = true;
};

}  // namespace mugrad::formats

// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <memory>
#include <new>

namespace mugrad {

/// Entries of a cache line, which no vector register is wider than.
template <class Real>
inline constexpr Index kLine = 64 / static_cast<Index>(sizeof(Real));

/// Memory for kernels: zeros, starting on a cache line.
template <class Real>
class AlignedBuffer {
 public:
  AlignedBuffer() = default;
  explicit AlignedBuffer(Index size)
      : size_(size),
        data_(static_cast<Real*>(
            ::operator new (static_cast<std::size_t>(size) * sizeof(Real), std::align_val_t{64}))) {
    std::fill_n(data_.get(), size, Real{0});
  }

  Real* data() noexcept { return data_.get(); }
  const Real* data() const noexcept { return data_.get(); }
  Index size() const noexcept { return size_; }

 private:
  struct Free {
    void operator()(Real* data) const noexcept { ::operator delete (data, std::align_val_t{64}); }
  };
  Index size_ = 0;
  std::unique_ptr<Real[], Free> data_;
};

/// Columns cut into panels of a few whole cache lines each, the last padded: a row of a panel is
/// read and written without a remainder. Matrices so stored hold panel after panel, each row by
/// row.
struct Panels {
  Index columns = 0;
  Index line = 1;   ///< columns per cache line
  Index lines = 0;  ///< that hold all columns
  Index count = 0;

  static Panels cut(Index columns, Index line, Index most_lines) noexcept {
    const Index lines = (columns + line - 1) / line;
    return {columns, line, lines, (lines + most_lines - 1) / most_lines};
  }

  /// The columns of all panels, the padding included.
  Index padded() const noexcept { return lines * line; }
  /// Panels differ by a line at most.
  Index first(Index panel) const noexcept {
    const Index longer = lines % count;
    return (panel * (lines / count) + std::min(panel, longer)) * line;
  }
  Index width(Index panel) const noexcept { return first(panel + 1) - first(panel); }
  /// Without the padding.
  Index filled(Index panel) const noexcept {
    return std::min(width(panel), columns - first(panel));
  }
};

}  // namespace mugrad

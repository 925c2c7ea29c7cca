// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

#include <algorithm>
#include <memory>
#include <new>

namespace mugrad {

/// Entries per cache line; no vector register is wider.
template <class Real>
inline constexpr Index kLine = 64 / as_index(sizeof(Real));

/// Memory for kernels: zero-initialised, aligned to a cache line.
template <class Real>
class AlignedBuffer {
 public:
  AlignedBuffer() = default;
  explicit AlignedBuffer(Index size)
      : size_(size),
        data_(static_cast<Real*>(
            ::operator new (as_size(size) * sizeof(Real), std::align_val_t{64}))) {
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

/// Columns divided into panels of a few whole cache lines each, the last one padded, so that rows
/// of a panel have no remainder. Matrices in this form store panel after panel, each row by row.
struct Panels {
  Index columns = 0;
  Index line = 1;   ///< columns per cache line
  Index lines = 0;  ///< lines of all columns
  Index count = 0;

  static Panels cut(Index columns, Index line, Index most_lines) noexcept {
    const Index lines = (columns + line - 1) / line;
    return {columns, line, lines, (lines + most_lines - 1) / most_lines};
  }

  /// The columns of all panels, including padding.
  Index padded() const noexcept { return lines * line; }
  /// The first column of a panel; panel sizes differ by at most one line.
  Index first(Index panel) const noexcept {
    const Index longer = lines % count;
    return (panel * (lines / count) + std::min(panel, longer)) * line;
  }
  Index width(Index panel) const noexcept { return first(panel + 1) - first(panel); }
  /// Columns without padding.
  Index filled(Index panel) const noexcept {
    return std::min(width(panel), columns - first(panel));
  }
};

}  // namespace mugrad

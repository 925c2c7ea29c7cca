// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/error.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad {

/// Work was refused because its estimated memory need exceeds the available memory.
class MemoryError : public Error {
 public:
  using Error::Error;
};

/// Peak memory use of some work, divided by purpose.
class MemoryNeed {
 public:
  struct Part {
    std::string what;  ///< for messages, as in "the weights"
    double bytes = 0;
  };

  MemoryNeed() = default;
  MemoryNeed(std::string what, double bytes);

  /// Adds memory that is held at the same time.
  MemoryNeed& operator+=(const MemoryNeed& other);
  friend MemoryNeed operator+(MemoryNeed one, const MemoryNeed& other) { return one += other; }

  /// Marks the bytes as known, not estimated.
  MemoryNeed exactly() && {
    is_exact_ = true;
    return std::move(*this);
  }

  double bytes() const noexcept;
  bool is_exact() const noexcept { return is_exact_; }
  std::span<const Part> parts() const noexcept { return parts_; }
  /// The part with the most bytes. Requires: there is at least one part.
  const Part& largest() const;

 private:
  std::vector<Part> parts_;
  bool is_exact_ = false;
};

/// The larger of two needs that occur one after the other.
const MemoryNeed& larger(const MemoryNeed& one, const MemoryNeed& other) noexcept;

/// How much memory Mugrad lets this process use.
struct MemoryLimit {
  enum class Kind {
    available,  ///< all that the system can provide
    bytes,      ///< the same, and at most this many bytes for the whole process
    share,      ///< the same, and at most this share of all memory for the process
    unlimited,  ///< nothing is refused
  };
  Kind kind = Kind::available;
  double amount = 0;  ///< bytes, or a share in (0, 1]

  bool operator==(const MemoryLimit&) const = default;
};

/// "8GB" (also k, M, T; GiB and so on count by 1024), "50%", "unlimited" or "available". Throws
/// UsageError.
MemoryLimit memory_limit_named(std::string_view text);

/// Sets the limit of the whole process for work that begins later. Any thread may call it.
void set_memory_limit(const MemoryLimit& limit);
MemoryLimit memory_limit();

/// Memory that is still available, and the bound that limits it.
struct AvailableMemory {
  double bytes = 0;
  std::string_view bound = {};  ///< as in "available memory"
  bool is_limit = false;        ///< the bound is memory_limit()
};

/// Memory estimates of training are at most this many times the peak that the tests measure.
inline constexpr double kMostOverestimate = 1.5;

/// The minimum of: the system's free and reclaimable memory and swap; the memory that control
/// groups have left below their limits; what is left of the address space (ulimit -v), of the data
/// segment (ulimit -d) and of memory_limit(). Infinite if nothing is known, or if unlimited.
AvailableMemory available_memory();

/// Throws MemoryError if `work`, as in "training br on emotions", needs more memory than is
/// available. The message states the figures, the largest part, and what `would_help`, as in "fewer
/// labels". An estimate is refused if even 1 / kMostOverestimate of it exceeds what the system has,
/// so that no work that fits is refused. Work that needs slightly more than is available may
/// therefore begin and run out of memory. An estimate that exceeds memory_limit() is refused as it
/// is. Very small needs are not checked.
void require_memory(const MemoryNeed& need, std::string_view work, std::string_view would_help);

/// "1.5 GB".
std::string bytes_text(double bytes);

}  // namespace mugrad

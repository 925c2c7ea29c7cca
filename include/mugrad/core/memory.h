// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/error.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad {

/// Work was refused since it needs more memory than there is, by an estimate made before it began.
class MemoryError : public Error {
 public:
  using Error::Error;
};

/// How much memory is held at once when most is, by what it is held for.
class MemoryNeed {
 public:
  struct Part {
    std::string what;  ///< as in "the weights", for messages
    double bytes = 0;
  };

  MemoryNeed() = default;
  MemoryNeed(std::string what, double bytes);

  /// Adds what is held at the same time.
  MemoryNeed& operator+=(const MemoryNeed& other);
  friend MemoryNeed operator+(MemoryNeed one, const MemoryNeed& other) { return one += other; }

  /// Says that the bytes are known, not estimated.
  MemoryNeed exactly() && {
    is_exact_ = true;
    return std::move(*this);
  }

  double bytes() const noexcept;
  bool is_exact() const noexcept { return is_exact_; }
  std::span<const Part> parts() const noexcept { return parts_; }
  /// The part that takes most. Requires: there is one.
  const Part& largest() const;

 private:
  std::vector<Part> parts_;
  bool is_exact_ = false;
};

/// Of two that are needed one after the other, the larger.
const MemoryNeed& larger(const MemoryNeed& one, const MemoryNeed& other) noexcept;

/// How much memory this process may hold, as far as Mugrad has a say.
struct MemoryLimit {
  enum class Kind {
    available,  ///< what the system has to give
    bytes,      ///< that, and the process no more than so many bytes in all
    share,      ///< that, and the process no more than this share of all memory
    unlimited,  ///< nothing is refused
  };
  Kind kind = Kind::available;
  double amount = 0;  ///< bytes, or a share in (0, 1]

  bool operator==(const MemoryLimit&) const = default;
};

/// "8GB" (also k, M, T; GiB and so on count by 1024), "50%", "unlimited" or "available". Throws
/// UsageError.
MemoryLimit memory_limit_named(std::string_view text);

/// The limit of the whole process, for work that begins from now on; any thread may set it.
void set_memory_limit(const MemoryLimit& limit);
MemoryLimit memory_limit();

/// Memory that work may still take, and why it is no more.
struct AvailableMemory {
  double bytes = 0;
  std::string_view bound = {};  ///< as in "available memory"
  bool is_limit = false;        ///< memory_limit() is the reason
};

/// Estimates of training are at most so many times the peak that the tests measure.
inline constexpr double kMostOverestimate = 1.5;

/// The least of: the system's free and reclaimable memory and swap, what control groups leave of
/// their limits, what the process has left of its address space (ulimit -v) and of its data
/// (ulimit -d), and of memory_limit(). Infinite where nothing is known, and when unlimited.
AvailableMemory available_memory();

/// Throws MemoryError when `work`, as in "training br on emotions", needs more than there is, with
/// the figures, what takes most, and what `would_help`, as in "fewer labels". An estimate is
/// refused where even 1 / kMostOverestimate of it is more than the system has, so that nothing is
/// refused that fits; what takes a little more than there is may begin, then, and run out of
/// memory. It is refused as it stands where it exceeds memory_limit(). Work that needs next to
/// nothing is not held up by looking.
void require_memory(const MemoryNeed& need, std::string_view work, std::string_view would_help);

/// "1.5 GB".
std::string bytes_text(double bytes);

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace mugrad {

/// The bytes of many terms, which never move.
class TermBytes {
 public:
  const char* store(std::string_view term);
  /// Forgets the terms, and keeps some of the memory, but not that of a huge term.
  void clear() noexcept;
  double bytes() const noexcept { return bytes_; }

 private:
  std::vector<std::unique_ptr<char[]>> chunks_;
  std::size_t last_size_ = 0;  ///< of the last chunk
  std::size_t used_ = 0;       ///< of the last chunk
  double bytes_ = 0;
};

/// Numbers terms from 0, in the order in which they are added. A hash table with open addressing;
/// besides the bytes of a term it takes 28 to 56 bytes per term.
///
/// The caller computes the hashes, of which the lowest 32 bits are used.
class TermMap {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(entries_.size()); }
  std::string_view term(std::uint32_t number) const noexcept {
    return {entries_[number].data, entries_[number].length};
  }
  /// The lowest 32 bits of its hash.
  std::uint32_t hash(std::uint32_t number) const noexcept { return entries_[number].hash; }

  /// The number of the term, or kNone.
  std::uint32_t find(std::string_view term, std::uint64_t hash) const noexcept;
  /// The number of the term, which is added if it is not there. Requires: fewer than 2^31 terms,
  /// of fewer than 2^32 bytes each.
  std::uint32_t add(std::string_view term, std::uint64_t hash);
  /// Brings what find and add read for these hashes into the caches, all at once: in a large map
  /// they otherwise wait for memory most of the time.
  void prefetch(std::span<const std::uint32_t> hashes) const noexcept;
  /// Removes all terms. Keeps most of the memory, unless it is far more than they needed.
  void clear() noexcept;
  /// What it holds.
  double bytes() const noexcept;

 private:
  struct Entry {
    const char* data;
    std::uint32_t length;
    std::uint32_t hash;
  };
  struct Slot {
    std::uint32_t hash;
    std::uint32_t number = kNone;
  };

  std::size_t slot_of(std::string_view term, std::uint32_t hash) const noexcept;
  void grow();

  std::vector<Entry> entries_;
  std::vector<Slot> slots_;  ///< a power of two, at most two thirds of them taken; or none
  TermBytes bytes_;
};

}  // namespace mugrad

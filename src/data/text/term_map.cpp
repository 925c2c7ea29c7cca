// SPDX-License-Identifier: MIT
#include "data/text/term_map.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <limits>

namespace mugrad {

namespace {

/// The usual chunk of bytes is at most this large.
constexpr std::size_t kMost = std::size_t{1} << 20U;

}  // namespace

const char* TermBytes::store(std::string_view term) {
  constexpr std::size_t kFirst = 1024;
  if (chunks_.empty() || last_size_ - used_ < term.size()) {
    const std::size_t usual = std::clamp(2 * last_size_, kFirst, kMost);
    const std::size_t size = std::max(usual, term.size());
    chunks_.push_back(std::make_unique_for_overwrite<char[]>(size));
    last_size_ = size;
    used_ = 0;
    bytes_ += static_cast<double>(size);
  }
  char* const copy = chunks_.back().get() + used_;
  std::ranges::copy(term, copy);
  used_ += term.size();
  return copy;
}

void TermBytes::clear() noexcept {
  if (chunks_.empty()) return;
  const bool is_usual = last_size_ <= kMost;  // not that of one huge term
  chunks_.erase(chunks_.begin(), is_usual ? chunks_.end() - 1 : chunks_.end());
  if (!is_usual) last_size_ = 0;
  bytes_ = static_cast<double>(last_size_);
  used_ = 0;
}

/// The slot with the term, or the free one where it belongs. Requires: there is a free slot.
std::size_t TermMap::slot_of(std::string_view term, std::uint32_t hash) const noexcept {
  const std::size_t last = slots_.size() - 1;
  std::size_t at = hash & last;
  while (slots_[at].number != kNone) {
    if (slots_[at].hash == hash && this->term(slots_[at].number) == term) return at;
    at = (at + 1) & last;
  }
  return at;
}

std::uint32_t TermMap::find(std::string_view term, std::uint64_t hash) const noexcept {
  if (slots_.empty()) return kNone;
  return slots_[slot_of(term, static_cast<std::uint32_t>(hash))].number;
}

std::uint32_t TermMap::add(std::string_view term, std::uint64_t hash) {
  assert(term.size() <= std::numeric_limits<std::uint32_t>::max());
  if (3 * entries_.size() >= 2 * slots_.size()) grow();
  const auto low_bits = static_cast<std::uint32_t>(hash);
  Slot& slot = slots_[slot_of(term, low_bits)];
  if (slot.number == kNone) {
    const std::uint32_t number = size();
    entries_.push_back({bytes_.store(term), static_cast<std::uint32_t>(term.size()), low_bits});
    slot = {low_bits, number};
  }
  return slot.number;
}

void TermMap::prefetch(std::span<const std::uint32_t> hashes) const noexcept {
  constexpr std::size_t kAtOnce = 64;
  if (slots_.empty()) return;
  const std::size_t last = slots_.size() - 1;
  std::array<const Entry*, kAtOnce> entries;
  while (!hashes.empty()) {
    const auto some = hashes.first(std::min(kAtOnce, hashes.size()));
    hashes = hashes.subspan(some.size());
    for (const std::uint32_t hash : some) __builtin_prefetch(&slots_[hash & last]);
    std::size_t known = 0;
    for (const std::uint32_t hash : some) {
      std::size_t at = hash & last;
      while (slots_[at].number != kNone && slots_[at].hash != hash) at = (at + 1) & last;
      if (slots_[at].number == kNone) continue;
      entries[known] = &entries_[slots_[at].number];
      __builtin_prefetch(entries[known++]);
    }
    for (std::size_t k = 0; k < known; ++k) __builtin_prefetch(entries[k]->data);
  }
}

/// Doubles the slots.
void TermMap::grow() {
  constexpr std::size_t kFewest = 16;
  std::vector<Slot> slots(std::max(kFewest, 2 * slots_.size()));
  const std::size_t last = slots.size() - 1;
  for (std::uint32_t number = 0; number < size(); ++number) {
    std::size_t at = entries_[number].hash & last;
    while (slots[at].number != kNone) at = (at + 1) & last;
    slots[at] = {entries_[number].hash, number};
  }
  slots_ = std::move(slots);
}

void TermMap::clear() noexcept {
  // A map that has grown with one huge text would otherwise be emptied as slowly ever after.
  constexpr std::size_t kFarMore = 16;
  constexpr std::size_t kFew = 1024;
  if (slots_.size() > kFarMore * std::max(kFew, entries_.size())) {
    entries_ = std::vector<Entry>();  // {} would keep the memory
    slots_ = std::vector<Slot>();
  } else {
    entries_.clear();
    std::ranges::fill(slots_, Slot{});
  }
  bytes_.clear();
}

double TermMap::bytes() const noexcept {
  return static_cast<double>(entries_.capacity() * sizeof(Entry) +
                             slots_.capacity() * sizeof(Slot)) +
         bytes_.bytes();
}

}  // namespace mugrad

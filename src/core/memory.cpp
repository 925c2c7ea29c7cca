// SPDX-License-Identifier: MIT
#include "core/system_memory.h"

#include <mugrad/core/memory.h>
#include <mugrad/core/types.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>

namespace mugrad {
namespace {

/// Smaller needs are not checked, unless the user has set a limit.
constexpr double kNegligibleBytes = 8e6;

std::mutex limit_mutex;
MemoryLimit limit_of_all;

/// The factor of a unit: nothing, or one of k M G T, then B, iB or nothing.
std::optional<double> factor_of(std::string_view unit) {
  if (unit.empty() || unit == "B") return 1;
  constexpr std::string_view kPrefixes = "kMGT";
  const char first = unit.front() == 'K' ? 'k' : unit.front();
  const auto place = kPrefixes.find(first);
  if (place == std::string_view::npos) return std::nullopt;
  const auto rest = unit.substr(1);
  if (!rest.empty() && rest != "B" && rest != "iB") return std::nullopt;
  return std::pow(rest == "iB" ? 1024 : 1000, static_cast<double>(place) + 1);
}

std::optional<MemoryLimit> amount_named(std::string_view text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [behind, failure] = std::from_chars(text.data(), end, number);
  if (failure != std::errc() || !std::isfinite(number) || number <= 0) return std::nullopt;
  std::string_view unit(behind, as_size(end - behind));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  if (unit == "%") {
    if (number > 100) return std::nullopt;
    return MemoryLimit{MemoryLimit::Kind::share, number / 100};
  }
  const auto factor = factor_of(unit);
  if (!factor) return std::nullopt;
  return MemoryLimit{MemoryLimit::Kind::bytes, number * *factor};
}

/// All bounds on the available memory.
std::vector<AvailableMemory> bounds_of(const MemoryLimit& limit) {
  std::vector<AvailableMemory> bounds;
  if (limit.kind == MemoryLimit::Kind::unlimited) return bounds;
  const SystemMemory system;
  for (const MemoryBound& bound : system.bounds()) {
    bounds.push_back({bound.bytes, bound.name});
  }
  if (limit.kind != MemoryLimit::Kind::available) {
    const double all =
        limit.kind == MemoryLimit::Kind::share ? limit.amount * system.total() : limit.amount;
    bounds.push_back(
        {std::max(0.0, all - system.held()), "what is left of the memory limit", true});
  }
  return bounds;
}

}  // namespace

MemoryNeed::MemoryNeed(std::string what, double bytes) : parts_{{std::move(what), bytes}} {}

MemoryNeed& MemoryNeed::operator+=(const MemoryNeed& other) {
  parts_.insert(parts_.end(), other.parts_.begin(), other.parts_.end());
  is_exact_ = is_exact_ && other.is_exact_;
  return *this;
}

double MemoryNeed::bytes() const noexcept {
  double sum = 0;
  for (const Part& part : parts_) sum += part.bytes;
  return sum;
}

const MemoryNeed::Part& MemoryNeed::largest() const {
  return *std::ranges::max_element(parts_, {}, &Part::bytes);
}

const MemoryNeed& larger(const MemoryNeed& one, const MemoryNeed& other) noexcept {
  return one.bytes() < other.bytes() ? other : one;
}

MemoryLimit memory_limit_named(std::string_view text) {
  if (text == "unlimited") return {MemoryLimit::Kind::unlimited};
  if (text == "available") return {};
  if (const auto amount = amount_named(text)) return *amount;
  throw UsageError(
      fmt::format("'{}' is not an amount of memory: expected one such as 8GB or 50%, 'unlimited' "
                  "or 'available'",
                  text));
}

void set_memory_limit(const MemoryLimit& limit) {
  const std::lock_guard lock(limit_mutex);
  limit_of_all = limit;
}

MemoryLimit memory_limit() {
  const std::lock_guard lock(limit_mutex);
  return limit_of_all;
}

AvailableMemory available_memory() {
  AvailableMemory least{std::numeric_limits<double>::infinity(), "available memory"};
  for (const AvailableMemory& bound : bounds_of(memory_limit())) {
    if (bound.bytes < least.bytes) least = bound;
  }
  return least;
}

void require_memory(const MemoryNeed& need, std::string_view work, std::string_view would_help) {
  const double bytes = need.bytes();
  const MemoryLimit limit = memory_limit();
  if (limit.kind == MemoryLimit::Kind::available && bytes <= kNegligibleBytes) return;
  std::optional<AvailableMemory> exceeded;
  for (const AvailableMemory& bound : bounds_of(limit)) {
    // The user's own limit is strict; the system's memory only refuses needs that certainly exceed
    // it.
    const bool is_as_it_stands = bound.is_limit || need.is_exact();
    const double least_need = is_as_it_stands ? bytes : bytes / kMostOverestimate;
    if (least_need <= bound.bytes || (exceeded && exceeded->bytes <= bound.bytes)) continue;
    exceeded = bound;
  }
  if (!exceeded) return;
  const auto& most = need.largest();
  std::string parts;
  if (need.parts().size() > 1) {
    parts = fmt::format(", {} of it for {}", bytes_text(most.bytes), most.what);
  } else {
    parts = fmt::format(" for {}", most.what);
  }
  throw MemoryError(fmt::format("{} would take about {}{}, and {} is {}; {} would help", work,
                                bytes_text(bytes), parts, exceeded->bound,
                                bytes_text(exceeded->bytes), would_help));
}

std::string bytes_text(double bytes) {
  constexpr std::array<std::string_view, 6> kUnits = {"bytes", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  // 999.6 MB is 1.00 GB, not 1e+03 MB.
  while (unit + 1 < kUnits.size() && bytes >= 999.5) {
    bytes /= 1000;
    ++unit;
  }
  return fmt::format("{:.3g} {}", bytes, kUnits[unit]);
}

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#include <mugrad/core/random.h>

#include <cassert>
#include <cmath>
#include <numbers>

namespace mugrad {
namespace {

/// SplitMix64's finaliser: a bijection in which every input bit affects every output bit.
std::uint64_t mix(std::uint64_t bits) {
  bits += 0x9e3779b97f4a7c15U;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
  return bits ^ (bits >> 31);
}

/// FNV-1a over the purpose, then mixed with seed and index.
std::uint64_t derive(std::uint64_t seed, std::string_view purpose, std::uint64_t index) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : purpose) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  }
  return mix(mix(mix(seed) ^ hash) ^ index);
}

}  // namespace

RandomStream::RandomStream(std::uint64_t seed, std::string_view purpose, std::uint64_t index)
    : engine_(derive(seed, purpose, index)) {}

std::uint64_t RandomStream::below(std::uint64_t bound) {
  assert(bound > 0);
  // Draws below 2^64 mod bound would favour small results; reject them.
  const std::uint64_t reject_below = (0 - bound) % bound;
  std::uint64_t draw = next();
  while (draw < reject_below) draw = next();
  return draw % bound;
}

double RandomStream::normal() {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

}  // namespace mugrad

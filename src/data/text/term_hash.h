// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

namespace mugrad {

/// The 64-bit XXH3 of the bytes, without a seed: the same on every machine and in every version of
/// xxHash since 0.8. Models whose terms are hashed depend on it.
std::uint64_t term_hash(std::string_view term) noexcept;

}  // namespace mugrad

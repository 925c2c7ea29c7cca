// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace mugrad {

/// Deeper JSON than any part of a model file has.
inline constexpr int kDeepestJson = 16;

/// JSON from a stranger: no key twice in an object, at most kDeepestJson levels. Throws InputError;
/// the message continues a sentence: "is not JSON at byte 7", "has the key 'a' twice".
nlohmann::json parse_json(std::string_view text);

}  // namespace mugrad

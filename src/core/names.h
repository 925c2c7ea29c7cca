// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/error.h>

#include <fmt/format.h>

#include <span>
#include <string>
#include <string_view>

namespace mugrad {

/// The name of an enumerator on the command line and in files.
template <class Enum>
struct Name {
  Enum value;
  std::string_view name;
};

/// Requires: `value` is in the table.
template <class Enum>
constexpr std::string_view name_of(std::span<const Name<Enum>> table, Enum value) {
  for (const auto& entry : table) {
    if (entry.value == value) return entry.name;
  }
  return {};
}

/// Throws UsageError listing the valid names; `what` is the noun for them.
template <class Enum>
Enum named(std::span<const Name<Enum>> table, std::string_view name, std::string_view what) {
  std::string known;
  for (const auto& entry : table) {
    if (entry.name == name) return entry.value;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", entry.name);
  }
  throw UsageError(fmt::format("there is no {} '{}': choose one of {}", what, name, known));
}

}  // namespace mugrad

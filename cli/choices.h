// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

namespace mugrad::cli {

/// Names that completions offer; the lists are those of the library.
std::vector<std::string> method_choices();
std::vector<std::string> metric_choices();
std::vector<std::string> format_choices();
std::vector<std::string> catalog_choices();

/// The names of enumerators, by their to_string().
template <class Enum>
std::vector<std::string> choices_of(std::initializer_list<Enum> values) {
  std::vector<std::string> names;
  for (const Enum value : values) names.emplace_back(to_string(value));
  return names;
}

}  // namespace mugrad::cli

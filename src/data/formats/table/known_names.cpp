// SPDX-License-Identifier: MIT
#include "data/formats/table/known_names.h"

#include <algorithm>
#include <numeric>

namespace mugrad::formats {

KnownNames::KnownNames(const std::vector<std::string>& names)
    : names_(names), order_(names.size()) {
  std::iota(order_.begin(), order_.end(), 0U);
  std::ranges::sort(order_, {}, [&](std::size_t i) -> std::string_view { return names_[i]; });
}

bool KnownNames::has(std::string_view name) const {
  const auto found = first_from(name);
  return found != order_.end() && names_[*found] == name;
}

std::vector<std::string> KnownNames::values_of(const std::string& attribute) const {
  const auto prefix = attribute + "=";
  std::vector<std::size_t> found;
  for (auto i = first_from(prefix); i != order_.end() && names_[*i].starts_with(prefix); ++i) {
    found.push_back(*i);
  }
  std::ranges::sort(found);
  std::vector<std::string> values;
  values.reserve(found.size());
  for (const auto i : found) values.push_back(names_[i].substr(prefix.size()));
  return values;
}

std::vector<std::size_t>::const_iterator KnownNames::first_from(std::string_view name) const {
  return std::ranges::lower_bound(order_, name, {},
                                  [&](std::size_t i) -> std::string_view { return names_[i]; });
}

}  // namespace mugrad::formats

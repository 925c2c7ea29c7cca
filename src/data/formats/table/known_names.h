// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mugrad::formats {

/// Lookup of a model's feature names by attribute. Requires: the names outlive this.
class KnownNames {
 public:
  explicit KnownNames(const std::vector<std::string>& names);

  bool empty() const noexcept { return names_.empty(); }
  bool has(std::string_view name) const;
  /// The values v of the names `attribute=v`, in the order of the names.
  std::vector<std::string> values_of(const std::string& attribute) const;
  /// Whether the model encodes the attribute as a nominal, with a column per value.
  bool one_hot(const std::string& attribute) const {
    return !has(attribute) && !values_of(attribute).empty();
  }

 private:
  std::vector<std::size_t>::const_iterator first_from(std::string_view name) const;

  const std::vector<std::string>& names_;
  std::vector<std::size_t> order_;  ///< positions, by ascending name
};

}  // namespace mugrad::formats

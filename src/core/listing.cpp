// SPDX-License-Identifier: MIT
#include <mugrad/core/listing.h>

#include <fmt/format.h>

#include <algorithm>

namespace mugrad {

std::string listing(std::span<const std::string> names, std::size_t most) {
  std::string text;
  for (std::size_t k = 0; k < std::min(names.size(), most); ++k) {
    text += fmt::format("{}'{}'", k == 0 ? "" : ", ", names[k]);
  }
  if (names.size() > most) text += fmt::format(" and {} more", names.size() - most);
  return text;
}

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#include "data/formats/table/attribute.h"

#include "core/utf8.h"
#include "data/formats/source_text.h"

#include <algorithm>
#include <array>

namespace mugrad::formats {
namespace {

struct TruthPair {
  std::string_view no;
  std::string_view yes;
};
constexpr std::array<TruthPair, 3> kTruthPairs = {{{"0", "1"}, {"NO", "YES"}, {"FALSE", "TRUE"}}};

}  // namespace

std::string TableHeader::as_utf8(std::string_view text) {
  has_latin1 = has_latin1 || !is_utf8(text);
  return mugrad::as_utf8(text);
}

std::vector<std::string> names_of(const std::vector<Attribute>& attributes) {
  std::vector<std::string> names;
  names.reserve(attributes.size());
  for (const auto& attribute : attributes) names.push_back(attribute.name);
  return names;
}

std::optional<bool> truth_of(std::string_view text) noexcept {
  for (const auto& pair : kTruthPairs) {
    if (same_word(text, pair.no)) return false;
    if (same_word(text, pair.yes)) return true;
  }
  return std::nullopt;
}

bool is_two_valued(const std::vector<std::string>& values) noexcept {
  return !values.empty() && std::ranges::any_of(kTruthPairs, [&](const TruthPair& pair) {
    return std::ranges::all_of(values, [&](const std::string& value) {
      return same_word(value, pair.no) || same_word(value, pair.yes);
    });
  });
}

}  // namespace mugrad::formats

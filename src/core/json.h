// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad {

/// Deeper JSON than any file of ours has. Copying, printing and freeing JSON recurse no deeper.
inline constexpr int kDeepestJson = 16;

/// JSON from a stranger, in time and memory in proportion to the text: no key twice in an object,
/// at most kDeepestJson levels. Throws InputError; the message continues a sentence: "is not JSON
/// at byte 7", "has the key 'a' twice".
nlohmann::json parse_json(std::string_view text);

/// That of a file. Throws InputError, starting with its name.
nlohmann::json parse_json_file(const std::filesystem::path& path);

/// A value of JSON from a stranger, and its place there. Whoever wants it says what it must be;
/// whatever else it is, is refused by an InputError that names the place, what was expected and
/// what was found: "map.json: sensitivity.rhos[1] must be a number, got \"x\"".
class JsonField {
 public:
  /// Refusals start with `before` and the place. Requires: the value outlives it.
  JsonField(const nlohmann::json& value, std::string before, std::string place = {});

  /// A member that must be there. Refuses what is not an object, too.
  JsonField operator[](std::string_view key) const;
  /// Whether there is such a member, and it is not null.
  bool has(std::string_view key) const;
  /// Key and value of each member.
  std::vector<std::pair<std::string, JsonField>> members() const;
  /// The values of a list. For long lists of plain values there are quicker ways below.
  std::vector<JsonField> items() const;

  const std::string& text() const;
  bool flag() const;
  double number() const;
  /// From lowest to highest, both included.
  double number(double lowest, double highest) const;
  Index whole_number(Index lowest, Index highest) const;

  std::vector<std::string> texts() const;
  std::vector<double> numbers() const;
  /// Those that are null are NaN.
  std::vector<double> numbers_or_nulls() const;
  std::vector<Index> whole_numbers(Index lowest, Index highest) const;

  /// How refusals call it.
  std::string name() const;
  /// Throws InputError: `expectation` is what it must be.
  [[noreturn]] void refuse(std::string_view expectation) const;

 private:
  JsonField item(std::size_t number) const;
  const std::vector<nlohmann::json>& list() const;
  /// read(field) of every item, whose name is made for those alone that are refused.
  template <class Fits, class Read>
  auto each(const Fits& fits, const Read& read) const;

  const nlohmann::json* value_;
  std::string before_;
  std::string place_;
};

}  // namespace mugrad

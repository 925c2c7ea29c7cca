// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad {

/// Limit on nesting, more than our files need. It bounds the recursion of nlohmann's functions.
inline constexpr int kDeepestJson = 16;

/// Parses untrusted JSON in time and memory proportional to the text. Duplicate keys and more than
/// kDeepestJson levels are errors. Throws InputError; the message continues a sentence: "is not
/// JSON at byte 7", "has the key 'a' twice".
nlohmann::json parse_json(std::string_view text);

/// Parses a file. Throws InputError with a message that starts with its name.
nlohmann::json parse_json_file(const std::filesystem::path& path);

/// A value of untrusted JSON with its position. Accessors state the expected type; any other value
/// throws an InputError that names the position, the expectation and the value: "map.json:
/// sensitivity.rhos[1] must be a number, got \"x\"".
class JsonField {
 public:
  /// Messages start with `before` and the position. Requires: the value outlives it.
  JsonField(const nlohmann::json& value, std::string before, std::string place = {});

  /// A required member. Throws if the value is not an object, too.
  JsonField operator[](std::string_view key) const;
  /// Whether there is such a member and it is not null.
  bool has(std::string_view key) const;
  /// Key and value of each member.
  std::vector<std::pair<std::string, JsonField>> members() const;
  /// The values of a list. For long lists of plain values the functions below are faster.
  std::vector<JsonField> items() const;

  const std::string& text() const;
  bool flag() const;
  double number() const;
  /// From lowest to highest, both included.
  double number(double lowest, double highest) const;
  Index whole_number(Index lowest, Index highest) const;

  std::vector<std::string> texts() const;
  std::vector<double> numbers() const;
  /// Nulls become NaN.
  std::vector<double> numbers_or_nulls() const;
  std::vector<Index> whole_numbers(Index lowest, Index highest) const;

  /// Its name in messages.
  std::string name() const;
  /// Throws InputError: `expectation` is what the value must be.
  [[noreturn]] void refuse(std::string_view expectation) const;

 private:
  JsonField item(std::size_t number) const;
  const std::vector<nlohmann::json>& list() const;
  /// read(field) for every item; names are only formatted for errors.
  template <class Fits, class Read>
  auto each(const Fits& fits, const Read& read) const;

  const nlohmann::json* value_;
  std::string before_;
  std::string place_;
};

}  // namespace mugrad

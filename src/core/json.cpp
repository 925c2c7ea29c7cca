// SPDX-License-Identifier: MIT
#include "core/json.h"

#include "core/mapped_file.h"
#include "core/printable.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <limits>
#include <set>
#include <utility>

namespace mugrad {
namespace {

using nlohmann::json;

/// Checks the events of the parser for errors of parse_json.
class ParseLimits {
 public:
  bool operator()(int depth, json::parse_event_t event, const json& parsed) {
    using Event = json::parse_event_t;
    const bool goes_deeper = event == Event::object_start || event == Event::array_start;
    if (goes_deeper && depth >= kDeepestJson) {
      throw InputError(fmt::format("is nested more than {} levels deep", kDeepestJson));
    }
    if (event == Event::object_start) keys_.emplace_back();
    if (event == Event::object_end) keys_.pop_back();
    if (event == Event::key) {
      const auto& key = parsed.get_ref<const std::string&>();
      if (!keys_.back().insert(key).second) {
        constexpr std::size_t kShown = 60;
        throw InputError(fmt::format("has the key '{}'{} twice", printable(key.substr(0, kShown)),
                                     key.size() > kShown ? "..." : ""));
      }
    }
    return true;
  }

 private:
  std::vector<std::set<std::string>> keys_;  ///< of the enclosing objects
};

/// For messages: long values are described by their kind, or cut.
std::string description(const json& value) {
  constexpr std::size_t kMost = 40;
  if (value.is_array()) return fmt::format("a list of {}", value.size());
  if (value.is_object()) return "an object";
  if (!value.is_string()) return value.dump();
  const auto& text = value.get_ref<const std::string&>();
  return text.size() <= kMost ? value.dump() : fmt::format("a string of {} bytes", text.size());
}

bool is_whole_number(const json& value, Index lowest, Index highest) {
  if (!value.is_number_integer()) return false;
  if (value.is_number_unsigned() && !std::in_range<Index>(value.get<std::uint64_t>())) return false;
  const auto number = value.get<Index>();
  return number >= lowest && number <= highest;
}

std::string whole_number_text(Index lowest, Index highest) {
  if (highest == std::numeric_limits<Index>::max()) {
    return fmt::format("must be a whole number of at least {}", lowest);
  }
  return fmt::format("must be a whole number from {} to {}", lowest, highest);
}

}  // namespace

json parse_json(std::string_view text) {
  ParseLimits limits;
  try {
    return json::parse(text, std::ref(limits));
  } catch (const json::parse_error& error) {
    throw InputError(fmt::format("is not JSON at byte {}", error.byte));
  } catch (const json::exception&) {
    throw InputError("has a number that is out of range");
  }
}

json parse_json_file(const std::filesystem::path& path) {
  const MappedFile file(path);
  try {
    return parse_json(file.bytes());
  } catch (const InputError& error) {
    file.require_whole();
    throw InputError(fmt::format("{} {}", path.string(), error.what()));
  }
}

JsonField::JsonField(const json& value, std::string before, std::string place)
    : value_(&value), before_(std::move(before)), place_(std::move(place)) {}

std::string JsonField::name() const { return before_ + (place_.empty() ? "its JSON" : place_); }

void JsonField::refuse(std::string_view expectation) const {
  throw InputError(fmt::format("{} {}, got {}", name(), expectation, description(*value_)));
}

JsonField JsonField::operator[](std::string_view key) const {
  if (!value_->is_object()) refuse(fmt::format("must be an object with '{}'", key));
  const auto found = value_->find(key);
  if (found == value_->end()) throw InputError(fmt::format("{} lacks '{}'", name(), key));
  return {*found, before_, place_.empty() ? std::string(key) : fmt::format("{}.{}", place_, key)};
}

bool JsonField::has(std::string_view key) const {
  const auto found = value_->is_object() ? value_->find(key) : value_->end();
  return found != value_->end() && !found->is_null();
}

std::vector<std::pair<std::string, JsonField>> JsonField::members() const {
  if (!value_->is_object()) refuse("must be an object");
  std::vector<std::pair<std::string, JsonField>> members;
  for (const auto& [key, value] : value_->items()) members.emplace_back(key, (*this)[key]);
  return members;
}

const std::vector<json>& JsonField::list() const {
  if (!value_->is_array()) refuse("must be a list");
  return value_->get_ref<const json::array_t&>();
}

JsonField JsonField::item(std::size_t number) const {
  return {(*value_)[number], before_, fmt::format("{}[{}]", place_, number)};
}

std::vector<JsonField> JsonField::items() const {
  std::vector<JsonField> items;
  items.reserve(list().size());
  for (std::size_t k = 0; k < list().size(); ++k) items.push_back(item(k));
  return items;
}

const std::string& JsonField::text() const {
  if (!value_->is_string()) refuse("must be a string");
  return value_->get_ref<const std::string&>();
}

bool JsonField::flag() const {
  if (!value_->is_boolean()) refuse("must be true or false");
  return value_->get<bool>();
}

double JsonField::number() const {
  if (!value_->is_number()) refuse("must be a number");
  return value_->get<double>();
}

double JsonField::number(double lowest, double highest) const {
  const double found = value_->is_number() ? value_->get<double>() : std::nan("");
  if (!(found >= lowest && found <= highest)) {
    refuse(fmt::format("must be a number from {} to {}", lowest, highest));
  }
  return found;
}

Index JsonField::whole_number(Index lowest, Index highest) const {
  if (!is_whole_number(*value_, lowest, highest)) refuse(whole_number_text(lowest, highest));
  return value_->get<Index>();
}

template <class Fits, class Read>
auto JsonField::each(const Fits& fits, const Read& read) const {
  const auto& values = list();
  std::vector<std::decay_t<decltype(read(*this))>> result;
  result.reserve(values.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    // A value of the wrong type is read by its name, so that the error names it.
    result.push_back(read(fits(values[k]) ? JsonField(values[k], {}) : item(k)));
  }
  return result;
}

std::vector<std::string> JsonField::texts() const {
  return each([](const json& value) { return value.is_string(); },
              [](const JsonField& field) { return field.text(); });
}

std::vector<double> JsonField::numbers() const {
  return each([](const json& value) { return value.is_number(); },
              [](const JsonField& field) { return field.number(); });
}

std::vector<double> JsonField::numbers_or_nulls() const {
  return each([](const json& value) { return value.is_number() || value.is_null(); },
              [](const JsonField& field) {
                return field.value_->is_null() ? std::nan("") : field.number();
              });
}

std::vector<Index> JsonField::whole_numbers(Index lowest, Index highest) const {
  return each([&](const json& value) { return is_whole_number(value, lowest, highest); },
              [&](const JsonField& field) { return field.whole_number(lowest, highest); });
}

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#include "model/json.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace mugrad {
namespace {

using nlohmann::json;

/// Watches the parser at work and stops it at what parse_json refuses.
class Watch {
 public:
  bool operator()(int depth, json::parse_event_t event, const json& parsed) {
    using Event = json::parse_event_t;
    if (depth > kDeepestJson) {
      throw InputError(fmt::format("is nested more than {} levels deep", kDeepestJson));
    }
    if (event == Event::object_start) keys_.emplace_back();
    if (event == Event::object_end) keys_.pop_back();
    if (event == Event::key) {
      const auto& key = parsed.get_ref<const std::string&>();
      if (!keys_.back().insert(key).second) {
        throw InputError(fmt::format("has the key '{}' twice", key));
      }
    }
    return true;
  }

 private:
  std::vector<std::set<std::string>> keys_;  ///< of each object the parser is in
};

}  // namespace

json parse_json(std::string_view text) {
  Watch watch;
  try {
    return json::parse(text, std::ref(watch));
  } catch (const json::parse_error& error) {
    throw InputError(fmt::format("is not JSON at byte {}", error.byte));
  } catch (const json::exception&) {
    throw InputError("has a number that is out of range");
  }
}

}  // namespace mugrad

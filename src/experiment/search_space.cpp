// SPDX-License-Identifier: MIT
#include <mugrad/core/error.h>
#include <mugrad/core/random.h>
#include <mugrad/experiment/search_space.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

namespace mugrad {
namespace {

constexpr std::size_t kMostSettings = 1'000'000;

double end_of_range(std::string_view text, std::string_view option) {
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code == std::errc{} && end == text.data() + text.size() && value > 0 &&
      std::isfinite(value)) {
    return value;
  }
  throw UsageError(
      fmt::format("{}: the ends of a range must be positive numbers, got '{}'", option, text));
}

/// "0.001..1".
Dimension range_of(std::string_view option, std::string_view text) {
  const auto dots = text.find("..");
  const double low = end_of_range(text.substr(0, dots), option);
  const double high = end_of_range(text.substr(dots + 2), option);
  if (low < high) return {.option = std::string(option), .values = {}, .low = low, .high = high};
  throw UsageError(
      fmt::format("{}: a range goes from the smaller number up, got {}", option, text));
}

/// "0.1,1,10".
std::vector<std::string> values_of(std::string_view option, std::string_view text) {
  std::vector<std::string> values;
  while (true) {
    const auto comma = text.find(',');
    const auto value = text.substr(0, comma);
    if (value.empty()) throw UsageError(fmt::format("{}: a value of the list is empty", option));
    if (std::ranges::count(values, value) == 0) values.emplace_back(value);
    if (comma == std::string_view::npos) return values;
    text = text.substr(comma + 1);
  }
}

void check_names(const SearchSpace& space, const OptionValues& fixed) {
  std::set<std::string_view> seen;
  for (const auto& dimension : space) {
    if (fixed.contains(dimension.option)) {
      throw UsageError(fmt::format("'{}' is both given and to be searched for", dimension.option));
    }
    if (!seen.insert(dimension.option).second) {
      throw UsageError(fmt::format("'{}' is to be searched for twice", dimension.option));
    }
  }
}

/// How many combinations there are; infinity when a range is among them.
double combinations(const SearchSpace& space) {
  double count = 1;
  for (const auto& dimension : space) {
    count *= dimension.values.empty() ? INFINITY : static_cast<double>(dimension.values.size());
  }
  return count;
}

std::string drawn_value(const Dimension& dimension, RandomStream& random) {
  if (!dimension.values.empty()) return dimension.values[random.below(dimension.values.size())];
  const double share = random.uniform();
  const double value = dimension.low * std::pow(dimension.high / dimension.low, share);
  // Four digits are enough to read; rounding must not leave the range.
  const std::string text = fmt::format("{:.4g}", value);
  const double rounded = std::stod(text);
  return rounded < dimension.low || rounded > dimension.high ? fmt::format("{}", value) : text;
}

}  // namespace

Search search_of(const MethodTraits& method, const OptionValues& given, bool usual) {
  Search search;
  for (const auto& [option, text] : given) {
    if (text.find("..") != std::string::npos) {
      search.space.push_back(range_of(option, text));
    } else if (text.find(',') != std::string::npos) {
      search.space.push_back({option, values_of(option, text)});
    } else {
      search.fixed[option] = text;
    }
  }
  const bool says_how_closely = given.contains("tolerance") || given.contains("solver");
  if (!method.trial_tolerance.empty() && !says_how_closely) {
    search.trial_only["tolerance"] = method.trial_tolerance;
  }
  if (!usual || !search.space.empty()) return search;
  for (const auto& dimension : method.usual_search) {
    if (!given.contains(dimension.option)) search.space.push_back(dimension);
  }
  return search;
}

std::vector<OptionValues> all_settings(const Search& search) {
  const auto& [space, fixed, trial_only] = search;
  check_names(space, fixed);
  for (const auto& dimension : space) {
    if (!dimension.values.empty()) continue;
    throw UsageError(fmt::format(
        "'{}' is a range: say how many settings to draw, or list the values", dimension.option));
  }
  if (combinations(space) > static_cast<double>(kMostSettings)) {
    throw UsageError(
        fmt::format("{:.3g} settings are too many to try: draw some of them", combinations(space)));
  }
  std::vector<OptionValues> settings = {fixed};
  for (const auto& dimension : space) {
    std::vector<OptionValues> longer;
    for (const auto& setting : settings) {
      for (const auto& value : dimension.values) {
        longer.push_back(setting);
        longer.back()[dimension.option] = value;
      }
    }
    settings = std::move(longer);
  }
  return settings;
}

std::vector<OptionValues> drawn_settings(const Search& search, Index count, std::uint64_t seed) {
  const auto& [space, fixed, trial_only] = search;
  check_names(space, fixed);
  if (count < 1) throw UsageError(fmt::format("at least one setting must be drawn, got {}", count));
  if (combinations(space) <= static_cast<double>(count)) return all_settings(search);
  RandomStream random(seed, "settings to try");
  std::set<OptionValues> seen;
  std::vector<OptionValues> settings;
  // What is drawn again and again is nearly all there is.
  constexpr int kPatience = 1000;
  for (int misses = 0; static_cast<Index>(settings.size()) < count && misses < kPatience;) {
    OptionValues values = fixed;
    for (const auto& dimension : space) values[dimension.option] = drawn_value(dimension, random);
    if (seen.insert(values).second) {
      settings.push_back(std::move(values));
      misses = 0;
    } else {
      ++misses;
    }
  }
  return settings;
}

std::string settings_text(const OptionValues& values) {
  std::string text;
  for (const auto& [name, value] : values) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, value);
  }
  return text.empty() ? "no option set" : text;
}

}  // namespace mugrad

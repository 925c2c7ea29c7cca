// SPDX-License-Identifier: MIT
#include <mugrad/core/error.h>
#include <mugrad/core/random.h>
#include <mugrad/experiment/tune.h>

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
      fmt::format("{}: a range must begin with the smaller number, got {}", option, text));
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

void check_names(const SearchStage& stage, const OptionValues& fixed) {
  std::set<std::string_view> seen;
  const auto take = [&](std::string_view option) {
    if (fixed.contains(option) || stage.fixed.contains(option)) {
      throw UsageError(fmt::format("'{}' is both given and searched", option));
    }
    if (!seen.insert(option).second) {
      throw UsageError(fmt::format("'{}' is searched twice", option));
    }
  };
  for (const auto& dimension : stage.space) take(dimension.option);
  std::set<std::string_view> together;
  for (const auto& alternative : stage.alternatives) {
    for (const auto& [option, value] : alternative) together.insert(option);
  }
  for (const auto option : together) take(option);
}

/// The fixed options with each alternative.
std::vector<OptionValues> first_settings(const SearchStage& stage, const OptionValues& fixed) {
  OptionValues common = fixed;
  common.insert(stage.fixed.begin(), stage.fixed.end());
  if (stage.alternatives.empty()) return {common};
  std::vector<OptionValues> settings;
  for (const auto& alternative : stage.alternatives) {
    settings.push_back(common);
    settings.back().insert(alternative.begin(), alternative.end());
  }
  return settings;
}

/// The number of combinations; infinite if there is a range.
double combinations(const SearchStage& stage) {
  double count = std::max(1.0, static_cast<double>(stage.alternatives.size()));
  for (const auto& dimension : stage.space) {
    count *= dimension.values.empty() ? INFINITY : static_cast<double>(dimension.values.size());
  }
  return count;
}

std::string drawn_value(const Dimension& dimension, RandomStream& random) {
  if (!dimension.values.empty()) return dimension.values[random.below(dimension.values.size())];
  const double share = random.uniform();
  const double value = dimension.low * std::pow(dimension.high / dimension.low, share);
  // Four digits are readable; rounding must not leave the range.
  const std::string text = fmt::format("{:.4g}", value);
  const double rounded = std::stod(text);
  return rounded < dimension.low || rounded > dimension.high ? fmt::format("{}", value) : text;
}

/// The alternatives without what is given. An option that all alternatives have tells them apart:
/// if it is given, only those with the given value are left.
std::vector<OptionValues> left_of(const std::vector<OptionValues>& alternatives,
                                  const OptionValues& given) {
  std::vector<OptionValues> left;
  for (OptionValues alternative : alternatives) {
    bool is_another = false;
    for (const auto& [option, value] : given) {
      const auto has_it = [&name = option](const OptionValues& other) {
        return other.contains(name);
      };
      const auto own = alternative.find(option);
      if (own == alternative.end()) continue;
      is_another |= own->second != value && std::ranges::all_of(alternatives, has_it);
      alternative.erase(own);
    }
    if (is_another || alternative.empty() || std::ranges::count(left, alternative) > 0) continue;
    left.push_back(std::move(alternative));
  }
  return left;
}

/// The usual stages without what is given.
std::vector<SearchStage> usual_stages(const MethodTraits& method, const OptionValues& given) {
  const auto is_given = [&](const std::string& option) {
    const auto replaced = method.instead_of.find(option);
    return given.contains(option) ||
           (replaced != method.instead_of.end() && given.contains(replaced->second));
  };
  std::vector<SearchStage> stages;
  for (SearchStage stage : method.usual_search) {
    std::erase_if(stage.fixed, [&](const auto& entry) { return is_given(entry.first); });
    std::erase_if(stage.space, [&](const auto& dimension) { return is_given(dimension.option); });
    stage.alternatives = left_of(stage.alternatives, given);
    if (!stage.space.empty() || !stage.alternatives.empty()) stages.push_back(std::move(stage));
  }
  return stages;
}

}  // namespace

Search search_of(const MethodTraits& method, const OptionValues& given, bool usual) {
  Search search;
  SearchSpace listed;
  for (const auto& [option, text] : given) {
    if (text.find("..") != std::string::npos) {
      listed.push_back(range_of(option, text));
    } else if (text.find(',') != std::string::npos) {
      listed.push_back({option, values_of(option, text)});
    } else {
      search.fixed[option] = text;
    }
  }
  const bool says_how_closely = given.contains("tolerance") || given.contains("solver");
  if (!method.trial_tolerance.empty() && !says_how_closely) {
    search.trial_only["tolerance"] = method.trial_tolerance;
  }
  if (!listed.empty()) {
    search.stages.push_back({.space = std::move(listed)});
  } else if (usual) {
    search.stages = usual_stages(method, given);
    search.is_usual = !search.stages.empty();
  }
  return search;
}

std::vector<std::string> searched_options(const Search& search) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::ranges::count(names, name) == 0) names.push_back(name);
  };
  for (const auto& stage : search.stages) {
    for (const auto& alternative : stage.alternatives) {
      for (const auto& [option, value] : alternative) add(option);
    }
    for (const auto& dimension : stage.space) add(dimension.option);
  }
  // Options that single stages fix.
  for (const auto& stage : search.stages) {
    for (const auto& [option, value] : stage.fixed) add(option);
  }
  return names;
}

std::vector<OptionValues> all_settings(const SearchStage& stage, const OptionValues& fixed) {
  check_names(stage, fixed);
  for (const auto& dimension : stage.space) {
    if (!dimension.values.empty()) continue;
    throw UsageError(fmt::format(
        "'{}' is a range: set how many settings to draw, or list the values", dimension.option));
  }
  if (combinations(stage) > static_cast<double>(kMostSettings)) {
    throw UsageError(
        fmt::format("{:.3g} settings are too many to try: draw some of them", combinations(stage)));
  }
  std::vector<OptionValues> settings = first_settings(stage, fixed);
  for (const auto& dimension : stage.space) {
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

std::vector<OptionValues> drawn_settings(const SearchStage& stage, const OptionValues& fixed,
                                         Index count, std::uint64_t seed) {
  check_names(stage, fixed);
  if (count < 1) throw UsageError(fmt::format("at least one setting must be drawn, got {}", count));
  if (combinations(stage) <= static_cast<double>(count)) return all_settings(stage, fixed);
  const auto first = first_settings(stage, fixed);
  RandomStream random(seed, "settings to try");
  std::set<OptionValues> seen;
  std::vector<OptionValues> settings;
  // If drawing repeats settings all the time, nearly all have been found.
  constexpr int kPatience = 1000;
  for (int misses = 0; std::ssize(settings) < count && misses < kPatience;) {
    OptionValues values = first.size() == 1 ? first.front() : first[random.below(first.size())];
    for (const auto& dimension : stage.space) {
      values[dimension.option] = drawn_value(dimension, random);
    }
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

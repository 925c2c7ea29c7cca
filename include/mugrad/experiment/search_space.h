// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>
#include <mugrad/method/method.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mugrad {

/// What to try for one option of a method: some values, or anything between two bounds.
struct Dimension {
  std::string option = {};
  std::vector<std::string> values = {};  ///< empty: a range
  double low = 0, high = 0;  ///< the range, both ends positive; drawn evenly in logarithms
};

/// The settings to try: every combination of these.
using SearchSpace = std::vector<Dimension>;

/// What a method is to be tried with.
struct Search {
  SearchSpace space = {};
  OptionValues fixed = {};  ///< what all settings have in common
  /// What trials have besides, and training with the best has not: a looser tolerance, as a rule.
  OptionValues trial_only = {};
};

/// Options as people write them: "0.001,0.01,0.1" lists values to try, "0.001..1" is a range of
/// them, anything else is fixed. With `usual`, what is usually worth trying of the method is tried
/// when nothing is listed; what is fixed is left out of that. Trials are solved as closely as
/// telling settings apart needs, unless that is given too. Throws UsageError for a list or range
/// that is none.
Search search_of(std::string_view method, const OptionValues& given, bool usual = true);

/// Every combination; the last dimension changes fastest. Throws UsageError for a range, for an
/// option that is fixed or named twice, and beyond a million combinations.
std::vector<OptionValues> all_settings(const Search& search);

/// `count` different ones drawn at random, or fewer when hardly any more are to be found.
std::vector<OptionValues> drawn_settings(const Search& search, Index count, std::uint64_t seed);

/// What is worth trying of a method unless someone knows better.
SearchSpace usual_search_space(std::string_view method);

/// "rho 0.1, sigma 0.3".
std::string settings_text(const OptionValues& values);

}  // namespace mugrad

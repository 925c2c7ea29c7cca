// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>
#include <mugrad/method/method_traits.h>

#include <cstdint>
#include <string>
#include <vector>

namespace mugrad {

/// What a method is to be tried with.
struct Search {
  SearchSpace space = {};
  OptionValues fixed = {};  ///< what all settings have in common
  /// What trials have besides, and training with the best has not: a looser tolerance, as a rule.
  OptionValues trial_only = {};
};

/// Options as people write them: "0.001,0.01,0.1" lists values to try, "0.001..1" is a range of
/// them, anything else is fixed. With `usual` and nothing listed, the method's usual search is
/// tried, without the options that are fixed. Trials take the method's trial tolerance unless the
/// tolerance or the solver is given. Throws UsageError for a malformed list or range.
Search search_of(const MethodTraits& method, const OptionValues& given, bool usual = true);

/// Every combination; the last dimension changes fastest. Throws UsageError for a range, for an
/// option that is fixed or named twice, and beyond a million combinations.
std::vector<OptionValues> all_settings(const Search& search);

/// `count` different ones drawn at random, or fewer when hardly any more are to be found.
std::vector<OptionValues> drawn_settings(const Search& search, Index count, std::uint64_t seed);

/// "rho 0.1, sigma 0.3".
std::string settings_text(const OptionValues& values);

}  // namespace mugrad

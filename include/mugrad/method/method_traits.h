// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad {

/// Options by name, as text.
using OptionValues = std::map<std::string, std::string, std::less<>>;

/// Values of one option to try in tuning: a list, or anything between two bounds.
struct Dimension {
  std::string option = {};
  std::vector<std::string> values = {};  ///< empty: a range
  double low = 0, high = 0;  ///< the range, both ends positive; drawn evenly in logarithms
};

/// The settings to try: every combination of these.
using SearchSpace = std::vector<Dimension>;

/// Options that go together, under one name.
struct Preset {
  std::string name = {};
  std::string help = {};  ///< one line
  OptionValues values = {};
};

/// What the numbers of SolveFacts mean; of no use for methods that solve nothing.
struct ReportWords {
  std::string_view effort = "passes";         ///< unit of SolveFacts::effort
  std::string_view minimised = "total loss";  ///< meaning of SolveFacts::minimised
};

/// Facts about a method. Everything outside src/method asks for these instead of comparing names.
struct MethodTraits {
  bool takes_row_weights = false;     ///< trains on Dataset::row_weights; others refuse them
  bool takes_unknown_labels = false;  ///< trains on Dataset::unknown; others refuse them
  bool has_iterates = false;          ///< reports the iterates of one run to its progress
  bool has_relations = false;         ///< stores in the model which label borrows from which
  bool runs_on_ranks = false;         ///< trains over MPI
  /// Tolerance that is enough to tell settings apart in tuning; empty: the method's own.
  std::string trial_tolerance = {};
  SearchSpace usual_search = {};  ///< what tuning tries unless told otherwise
  std::vector<Preset> presets = {};
  ReportWords report = {};

  // Which fields of TrainingExtras the method takes.
  bool takes_start = false;
  bool takes_transfer = false;
  bool takes_sigma_per_label = false;
  bool takes_positive_weights = false;
};

}  // namespace mugrad

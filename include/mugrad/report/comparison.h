// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/experiment/results.h>
#include <mugrad/experiment/statistics.h>

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad {

/// How a method did on a set, against the control.
enum class Mark { none, better, worse };

/// "", "better", "worse".
std::string_view to_string(Mark mark);

/// A method on a set by one metric.
struct ResultCell {
  std::vector<double> values;  ///< one per split that has it
  double mean = 0;             ///< NaN without values
  double deviation = 0;        ///< n - 1; NaN below two values
  double rank = 0;             ///< among the methods of this set; NaN when one of them has no value
  bool is_best = false;        ///< as printed, with three decimals
  bool is_second = false;
  Mark mark = Mark::none;
};

/// Two methods over the sets.
struct MethodPair {
  std::size_t a = 0, b = 0;  ///< numbers of the methods
  Wilcoxon test;
  double holm = 1;
};

/// All that one metric says.
struct MetricTable {
  std::string metric;
  bool larger_is_better = true;
  std::vector<std::vector<ResultCell>> cells;  ///< by set, then by method
  std::vector<double> mean_ranks;              ///< per method; NaN where a set has no value
  std::optional<Friedman> friedman;            ///< from two sets and two methods on
  double nemenyi_distance = 0;                 ///< 0: none
  double bonferroni_dunn_distance = 0;
  std::vector<MethodPair> pairs;  ///< from two sets on
};

struct ComparisonOptions {
  std::vector<std::string> metrics = {"average-precision", "macro-f1", "macro-f1 (mulan)",
                                      "micro-f1",          "coverage", "ranking-loss"};
  std::string control;  ///< what others are marked against; empty: the first method
  double alpha = 0.05;
};

/// Results of one or more files as tables.
struct Comparison {
  std::string protocol;
  std::vector<SetInfo> sets;
  std::vector<ContenderInfo> methods;
  std::vector<Record> records;
  std::size_t control = 0;
  double alpha = 0.05;
  std::vector<MetricTable> tables;  ///< one per metric
};

/// Puts the files together: sets and methods in the order in which they come. Marks are by the t
/// test for overlapping splits (Nadeau and Bengio 2003). Throws UsageError for files of different
/// protocols or data, for a control or a metric that is not there, and for no results at all.
Comparison compare_results(std::span<const Results> files, const ComparisonOptions& options = {});

/// "macro-f1 (mulan)" is macro-f1 under that convention.
bool larger_is_better_as_named(std::string_view metric);

}  // namespace mugrad

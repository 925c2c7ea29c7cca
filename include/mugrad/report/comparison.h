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

/// A method on a set by one metric. Where splits have no value the mean is over others than those
/// of other methods: it is shown, but it is not compared with anything.
struct ResultCell {
  std::vector<double> values = {};  ///< one per split that has it, and
  std::vector<Index> splits = {};   ///< which those are, ascending
  bool is_complete = false;         ///< every split has it
  double mean = 0;                  ///< NaN without values
  double deviation = 0;             ///< n - 1; NaN below two values
  double rank = 0;       ///< among the methods of this set; NaN unless all of them are complete
  bool is_best = false;  ///< of the complete ones, as printed, with three decimals
  bool is_second = false;
  Mark mark = Mark::none;
};

/// Two methods over the sets.
struct MethodPair {
  std::size_t a = 0, b = 0;  ///< numbers of the methods
  Wilcoxon test = {};
  double holm = 1;
};

/// All that one metric says.
struct MetricTable {
  Metric metric = {};
  std::vector<std::vector<ResultCell>> cells = {};  ///< by set, then by method
  std::size_t ranked_sets = 0;  ///< those where all methods are complete; all below is over them
  std::vector<double> mean_ranks = {};    ///< per method; NaN without such a set
  std::optional<Friedman> friedman = {};  ///< from two of them and two methods on, as the rest
  double nemenyi_distance = 0;            ///< 0: none
  double bonferroni_dunn_distance = 0;
  std::vector<MethodPair> pairs = {};
};

/// A split on which a method could not be trained or judged.
struct Failure {
  std::string set = {};
  std::string method = {};
  Index split = 0;  ///< from 0
  std::string reason = {};

  bool operator==(const Failure&) const = default;
};

struct ComparisonOptions {
  std::vector<Metric> metrics = {{Measure::average_precision},
                                 {Measure::macro_f1},
                                 {.measure = Measure::macro_f1, .convention = Convention::mulan},
                                 {Measure::micro_f1},
                                 {Measure::coverage},
                                 {Measure::ranking_loss}};
  std::string control = {};  ///< what others are marked against; empty: the first method
  double alpha = 0.05;
  /// Files may have a method of one name with different options; their texts are joined by " | ".
  bool different_options = false;
};

/// Results of one or more files as tables.
struct Comparison {
  std::string protocol = {};
  Index splits = 0;  ///< per set
  std::vector<SetInfo> sets = {};
  std::vector<ContenderInfo> methods = {};
  std::vector<Record> records = {};
  std::vector<Failure> failures = {};  ///< in the order of the records
  std::size_t control = 0;
  double alpha = 0.05;
  std::vector<MetricTable> tables = {};  ///< one per metric
};

/// Puts the files together: sets and methods in the order in which they come. Marks are by the t
/// test for overlapping splits (Nadeau and Bengio 2003). Throws UsageError for files of different
/// protocols, data or options, for a record that two of them have, for a control that is not there,
/// and for no results at all.
Comparison compare_results(std::span<const Results> files, const ComparisonOptions& options = {});

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/experiment/results.h>
#include <mugrad/experiment/statistics.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad {

/// How a method compares with the control on a set.
enum class Mark { none, better, worse };

/// "", "better", "worse".
std::string_view to_string(Mark mark);

/// The results of a method on a set by one metric. If values are missing for some splits, the mean
/// is shown but not compared, because the means of other methods are over other splits.
struct ResultCell {
  std::vector<double> values = {};  ///< one per split with a value
  std::vector<Index> splits = {};   ///< the numbers of these splits, ascending
  bool is_complete = false;         ///< every split has a value
  double mean = 0;                  ///< NaN without values
  double deviation = 0;             ///< with n - 1; NaN below two values
  double rank = 0;                  ///< among the methods of this set; NaN unless all are complete
  bool is_best = false;  ///< among the complete ones, compared as printed with three decimals
  bool is_second = false;
  Mark mark = Mark::none;
};

/// Comparison of two methods over the sets.
struct MethodPair {
  std::size_t a = 0, b = 0;  ///< numbers of the methods
  Wilcoxon test = {};
  double holm = 1;
};

/// The results and statistics of one metric.
struct MetricTable {
  Metric metric = {};
  std::vector<std::vector<ResultCell>> cells = {};  ///< by set, then by method
  /// Sets where all methods are complete; the statistics below use only these.
  std::size_t ranked_sets = 0;
  std::vector<double> mean_ranks = {};  ///< per method; NaN without such a set
  /// With at least two such sets and two methods, as the statistics below.
  std::optional<Friedman> friedman = {};
  double nemenyi_distance = 0;  ///< 0: none
  double bonferroni_dunn_distance = 0;
  std::vector<MethodPair> pairs = {};
};

/// A split on which a method could not be trained or evaluated.
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
  std::string control = {};  ///< the method that others are compared with; empty: the first
  double alpha = 0.05;
  /// Files may contain a method with different options; their texts are joined by " | ".
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

/// Combines the files, with sets and methods in the order of their first occurrence. Marks use the
/// t test for overlapping splits (Nadeau and Bengio 2003). Throws UsageError for files with
/// different protocols, data or options, for a record that occurs in two files, for an unknown
/// control, and if there are no results.
Comparison compare_results(std::span<const Results> files, const ComparisonOptions& options = {});

enum class TableFormat { text, markdown, csv, latex };

std::string_view to_string(TableFormat format);
/// Throws UsageError listing the valid names.
TableFormat table_format_named(std::string_view name);

/// One table per metric, with a row per method and a column per set: mean and deviation, with marks
/// for the best, the second and significant differences from the control. A mean over only some
/// splits says over how many. Below each table are the statistics over the sets, and at the end the
/// failures (in LaTeX as comments). CSV is one table with a row per metric, set and method, and
/// nothing else.
std::string format_tables(const Comparison& comparison, TableFormat format);

}  // namespace mugrad

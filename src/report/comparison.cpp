// SPDX-License-Identifier: MIT
#include "experiment/distributions.h"

#include <mugrad/core/error.h>
#include <mugrad/core/option_text.h>
#include <mugrad/metric/evaluate.h>
#include <mugrad/report/comparison.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>

namespace mugrad {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Values are compared as printed, as whole numbers, so that their differences are exact too.
double thousandths(double value) { return std::round(value * 1000); }

void add_set(std::vector<SetInfo>& sets, const SetInfo& set) {
  const auto known = std::ranges::find(sets, set.name, &SetInfo::name);
  if (known == sets.end()) {
    sets.push_back(set);
  } else if (!(*known == set)) {
    throw UsageError(fmt::format("the files have different data called '{}'", set.name));
  }
}

void add_method(std::vector<ContenderInfo>& methods, const ContenderInfo& method) {
  const auto known = std::ranges::find(methods, method.name, &ContenderInfo::name);
  if (known == methods.end()) methods.push_back(method);
}

/// Throws UsageError if files use one name for different methods.
void check_texts(std::span<const Results> files) {
  std::map<std::string, std::string> texts;
  for (const Results& file : files) {
    for (const auto& method : file.head.contenders) {
      const auto& known = texts.try_emplace(method.name, method.text).first->second;
      if (known == method.text) continue;
      throw UsageError(fmt::format(
          "the files have different methods called '{}': '{}' and '{}'; if that is intended, use "
          "{}",
          method.name, known, method.text, option_text(Option::different_options)));
    }
  }
}

/// All different texts under each name.
void join_texts(std::span<const Results> files, std::vector<ContenderInfo>& methods) {
  for (auto& method : methods) {
    std::vector<std::string> texts;
    for (const Results& file : files) {
      for (const auto& other : file.head.contenders) {
        const bool is_new = std::ranges::find(texts, other.text) == texts.end();
        if (other.name == method.name && is_new) texts.push_back(other.text);
      }
    }
    method.text = fmt::format("{}", fmt::join(texts, " | "));
  }
}

void check_made_alike(const ResultsHead& a, const ResultsHead& b) {
  if (a.protocol != b.protocol) {
    throw UsageError(
        fmt::format("the files have different protocols: '{}' and '{}'", a.protocol, b.protocol));
  }
  if (a.splits != b.splits || a.test_share != b.test_share) {
    throw UsageError(
        fmt::format("the files have different protocols: {} and {} splits, {} and {} of "
                    "the rows to test on",
                    a.splits, b.splits, a.test_share, b.test_share));
  }
}

/// The limit of a single file also applies to all together.
void check_count(std::size_t found, std::size_t most, std::string_view what) {
  if (found <= most) return;
  throw UsageError(
      fmt::format("the files have {} {} together, at most {} can be compared", found, what, most));
}

Comparison put_together(std::span<const Results> files) {
  Comparison all;
  std::set<std::tuple<std::string, std::string, Index>> there;
  for (const Results& file : files) {
    check_made_alike(files.front().head, file.head);
    for (const auto& set : file.head.sets) add_set(all.sets, set);
    for (const auto& method : file.head.contenders) add_method(all.methods, method);
    for (const auto& record : file.records) {
      if (!there.emplace(record.set, record.contender, record.split).second) {
        throw UsageError(
            fmt::format("two files have results of {} on {}", record.contender, record.set));
      }
      all.records.push_back(record);
      if (record.failure.empty()) continue;
      all.failures.push_back({record.set, record.contender, record.split, record.failure});
    }
  }
  if (all.records.empty()) throw UsageError("there are no results to show");
  check_count(all.sets.size(), kMostSets, "data sets");
  check_count(all.methods.size(), kMostContenders, "methods");
  all.protocol = files.front().head.protocol;
  all.splits = files.front().head.splits;
  return all;
}

/// The value of each split that has one.
using ValuesBySplit = std::map<Index, double>;

/// The records of each method on each set.
using RecordsByCell =
    std::map<std::pair<std::string_view, std::string_view>, std::vector<const Record*>>;

RecordsByCell records_by_cell(const Comparison& all) {
  RecordsByCell cells;
  for (const auto& record : all.records) {
    cells[{record.set, record.contender}].push_back(&record);
  }
  return cells;
}

ValuesBySplit values_by_split(const RecordsByCell& cells, const std::string& set,
                              const std::string& method, const Metric& metric) {
  ValuesBySplit values;
  const auto records = cells.find({set, method});
  if (records == cells.end()) return values;
  for (const Record* record : records->second) {
    const auto found = record->metrics.find(metric);
    if (found == record->metrics.end() || std::isnan(found->second)) continue;
    values[record->split] = found->second;
  }
  return values;
}

ResultCell cell_of(const ValuesBySplit& by_split, Index splits) {
  ResultCell cell;
  for (const auto& [split, value] : by_split) {
    cell.values.push_back(value);
    cell.splits.push_back(split);
  }
  cell.is_complete = std::ssize(cell.values) == splits;
  cell.mean = cell.deviation = cell.rank = kNaN;
  if (cell.values.empty()) return cell;
  const Summary summary = summarise(cell.values);
  cell.mean = summary.mean;
  cell.deviation = summary.deviation;
  return cell;
}

/// Splits overlap, which the variance of the differences does not show. The term test_share / (1 -
/// test_share) corrects for that. Requires: both are complete.
Mark mark_against(const ResultCell& cell, const ResultCell& control, double test_share, bool larger,
                  double alpha) {
  std::vector<double> differences;
  for (std::size_t k = 0; k < cell.values.size(); ++k) {
    differences.push_back(cell.values[k] - control.values[k]);
  }
  if (differences.size() < 2) return Mark::none;
  const Summary summary = summarise(differences);
  const auto count = static_cast<double>(differences.size());
  const double variance = summary.deviation * summary.deviation;
  const double spread = std::sqrt((1 / count + test_share / (1 - test_share)) * variance);
  if (summary.mean == 0) return Mark::none;
  const double t = std::abs(summary.mean) / spread;
  const double p = std::isinf(t) ? 0 : 2 * student_t_tail(t, count - 1);
  if (!(p < alpha)) return Mark::none;
  return (summary.mean > 0) == larger ? Mark::better : Mark::worse;
}

void find_best(std::vector<ResultCell>& cells, bool larger) {
  std::vector<double> means;
  for (const auto& cell : cells) {
    if (cell.is_complete) means.push_back(thousandths(cell.mean));
  }
  if (means.empty()) return;
  std::ranges::sort(means);
  if (larger) std::ranges::reverse(means);
  const auto second = std::ranges::find_if(means, [&](double m) { return m != means.front(); });
  for (auto& cell : cells) {
    if (!cell.is_complete) continue;
    cell.is_best = thousandths(cell.mean) == means.front();
    cell.is_second = second != means.end() && thousandths(cell.mean) == *second;
  }
}

/// The sets on which all methods have all splits; only these can be ranked.
std::vector<std::size_t> complete_sets(const MetricTable& table) {
  std::vector<std::size_t> sets;
  for (std::size_t s = 0; s < table.cells.size(); ++s) {
    if (std::ranges::all_of(table.cells[s], &ResultCell::is_complete)) sets.push_back(s);
  }
  return sets;
}

void add_statistics(MetricTable& table, std::size_t methods, double alpha) {
  table.mean_ranks.assign(methods, kNaN);
  const auto sets = complete_sets(table);
  table.ranked_sets = sets.size();
  if (sets.empty()) return;
  Matrix<double> means(std::ssize(sets), as_index(methods));
  for (std::size_t k = 0; k < sets.size(); ++k) {
    for (std::size_t m = 0; m < methods; ++m) {
      means(as_index(k), as_index(m)) = thousandths(table.cells[sets[k]][m].mean);
    }
  }
  const bool larger = larger_is_better(table.metric);
  const auto places = ranks(means, larger);
  for (std::size_t m = 0; m < methods; ++m) {
    double sum = 0;
    for (std::size_t k = 0; k < sets.size(); ++k) {
      const double rank = places(as_index(k), as_index(m));
      table.cells[sets[k]][m].rank = rank;
      sum += rank;
    }
    table.mean_ranks[m] = sum / static_cast<double>(sets.size());
  }
  if (sets.size() < 2 || methods < 2) return;
  const auto k = as_index(methods), n = std::ssize(sets);
  table.friedman = friedman(means, larger);
  table.nemenyi_distance = nemenyi_critical_distance(k, n, alpha);
  table.bonferroni_dunn_distance = bonferroni_dunn_critical_distance(k, n, alpha);

  const auto column = [&](std::size_t m) {
    std::vector<double> values;
    values.reserve(sets.size());
    for (const std::size_t s : sets) values.push_back(thousandths(table.cells[s][m].mean));
    return values;
  };
  std::vector<double> p;
  for (std::size_t a = 0; a < methods; ++a) {
    for (std::size_t b = a + 1; b < methods; ++b) {
      table.pairs.push_back({a, b, wilcoxon_signed_rank(column(a), column(b), larger)});
      p.push_back(table.pairs.back().test.p);
    }
  }
  const auto adjusted = holm(p);
  for (std::size_t i = 0; i < adjusted.size(); ++i) table.pairs[i].holm = adjusted[i];
}

MetricTable table_of(const Comparison& all, const RecordsByCell& cells, const Metric& metric,
                     double test_share) {
  MetricTable table{.metric = metric};
  const bool larger = larger_is_better(metric);
  for (const auto& set : all.sets) {
    auto& row = table.cells.emplace_back();
    for (const auto& method : all.methods) {
      row.push_back(cell_of(values_by_split(cells, set.name, method.name, metric), all.splits));
    }
    const ResultCell& control = row[all.control];
    for (auto& cell : row) {
      if (&cell == &control || !cell.is_complete || !control.is_complete) continue;
      cell.mark = mark_against(cell, control, test_share, larger, all.alpha);
    }
    find_best(row, larger);
  }
  add_statistics(table, all.methods.size(), all.alpha);
  return table;
}

}  // namespace

std::string_view to_string(Mark mark) {
  return mark == Mark::better ? "better" : mark == Mark::worse ? "worse" : "";
}

Comparison compare_results(std::span<const Results> files, const ComparisonOptions& options) {
  if (!options.different_options) check_texts(files);
  Comparison all = put_together(files);
  join_texts(files, all.methods);
  all.alpha = options.alpha;
  if (!options.control.empty()) {
    const auto found = std::ranges::find(all.methods, options.control, &ContenderInfo::name);
    if (found == all.methods.end()) {
      std::vector<std::string> names;
      for (const auto& method : all.methods) names.push_back(method.name);
      throw UsageError(fmt::format("there is no method '{}' among the results: {}", options.control,
                                   fmt::join(names, ", ")));
    }
    all.control = as_size(found - all.methods.begin());
  }
  const double test_share = files.front().head.test_share;
  const RecordsByCell cells = records_by_cell(all);
  for (const auto& metric : options.metrics) {
    all.tables.push_back(table_of(all, cells, metric, test_share));
  }
  return all;
}

}  // namespace mugrad

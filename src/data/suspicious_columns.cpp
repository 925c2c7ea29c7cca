// SPDX-License-Identifier: MIT
#include "data/suspicious_columns.h"

#include "core/printable.h"

#include <mugrad/core/option_text.h>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace mugrad {
namespace {

constexpr Index kLeastOfEach = 20;  ///< positives and negatives among the sampled rows
/// As 2 |AUC - 1/2|: a column that separates a label, and one that comes close.
constexpr double kSeparates = 0.99, kComesClose = 0.8;
/// If more columns separate labels, this is the nature of the data.
constexpr std::size_t kMostColumns = 3;
constexpr Index kLeastColumns = 3;
/// The share of the runs of a label in random order that a sorted file has at most.
constexpr double kRunsOfSorted = 0.2;

/// A column of a table, and the features made of it.
struct Column {
  std::string name;
  Index first = 0, count = 1;
};

std::string_view before_value(std::string_view feature) {
  return feature.substr(0, feature.find('='));
}

/// The columns as far as they are looked at. Features of one category have names such as plan=pro.
std::vector<Column> columns_of(const Dataset& data) {
  std::vector<Column> columns;
  if (!data.encoding.is_empty()) {
    for (const auto& column : data.encoding.columns) {
      if (column.role == ColumnRole::text || column.width == 0) continue;
      columns.push_back({column.name, column.first, column.width});
    }
    return columns;
  }
  auto text = data.term_blocks.begin();
  const bool has_names = !data.feature_names.empty();
  for (Index k = 0; k < data.features(); ++k) {
    while (text != data.term_blocks.end() && k >= text->first + text->count) ++text;
    if (text != data.term_blocks.end() && k >= text->first) continue;
    const auto name = name_or_number(data.feature_names, k);
    const bool continues = has_names && !columns.empty() && name.find('=') != std::string::npos &&
                           columns.back().first + columns.back().count == k &&
                           columns.back().name == before_value(name);
    if (continues) {
      ++columns.back().count;
    } else {
      columns.push_back({std::string(before_value(name)), k, 1});
    }
  }
  return columns;
}

/// The rows to look at, in their order.
std::vector<Index> sampled_rows(const Dataset& data) {
  constexpr Index kMost = 2048, kFewest = 512, kValues = Index{1} << 21;
  const Index affordable = kValues / std::max<Index>(1, data.features());
  const Index count =
      std::min(data.rows(), data.x.is_sparse() ? kMost : std::clamp(affordable, kFewest, kMost));
  std::vector<Index> rows;
  for (Index k = 0; k < count; ++k) {
    rows.push_back(k * (data.rows() / count) + k * (data.rows() % count) / count);
  }
  return rows;
}

/// The labels that are looked at, and which of the sampled rows have them.
struct SampledLabels {
  std::vector<LabelId> labels;
  std::vector<std::vector<Index>> positives;  ///< numbers of sampled rows, ascending
};

SampledLabels labels_in(const Dataset& data, std::span<const Index> rows) {
  std::vector<std::vector<Index>> positives(as_size(data.labels()));
  std::vector<char> is_known(positives.size(), 1);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    for (const LabelId label : data.y.row(rows[k]))
      positives[as_size(label)].push_back(as_index(k));
    for (const LabelId label : data.unknown_of(rows[k])) is_known[as_size(label)] = 0;
  }
  SampledLabels sampled;
  for (std::size_t label = 0; label < positives.size(); ++label) {
    const Index count = std::ssize(positives[label]);
    if (!is_known[label] || std::min(count, std::ssize(rows) - count) < kLeastOfEach) continue;
    sampled.labels.push_back(static_cast<LabelId>(label));
    sampled.positives.push_back(std::move(positives[label]));
  }
  return sampled;
}

/// The values of a feature that are not zero, each with the number of its sampled row.
using Entries = std::vector<std::pair<double, Index>>;

/// The entries of every feature that is looked at; of others, none.
std::vector<Entries> entries_of(const Dataset& data, std::span<const Index> rows,
                                std::span<const Column> columns) {
  std::vector<char> is_wanted(as_size(data.features()), 0);
  for (const Column& column : columns) {
    std::fill_n(is_wanted.begin() + column.first, column.count, char{1});
  }
  std::vector<Entries> entries(as_size(data.features()));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    data.x.for_each_in_row(rows[k], [&](FeatureId feature, double value) {
      if (value == 0 || !is_wanted[as_size(feature)]) return;
      entries[as_size(feature)].emplace_back(value, as_index(k));
    });
  }
  return entries;
}

/// Bits that are ordered as the numbers, in single precision.
std::uint64_t ordered_bits(double value) noexcept {
  constexpr std::uint32_t kSign = 0x8000'0000U;
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

/// Twice the rank of every sampled row, from 0; ties have the mean of theirs. Values that are equal
/// in single precision are ties.
class RankedRows {
 public:
  explicit RankedRows(Index rows) : of_row_(as_size(rows)) {}

  void rank(const Entries& entries) {
    constexpr int kRowBits = 32;
    constexpr std::uint64_t kZero = std::uint64_t{0x8000'0000U} << kRowBits;
    keys_.clear();
    for (const auto& [value, row] : entries) {
      keys_.push_back(ordered_bits(value) << kRowBits | static_cast<std::uint64_t>(row));
    }
    std::ranges::sort(keys_);
    const auto split = std::ranges::lower_bound(keys_, kZero);
    const Index below = split - keys_.begin();
    const Index zeros = std::ssize(of_row_) - std::ssize(keys_);
    std::ranges::fill(of_row_, 2 * below + zeros - 1);
    for (auto first = keys_.begin(); first != keys_.end();) {
      const std::uint64_t value = *first >> kRowBits;
      const auto last = std::find_if(first, keys_.end(),
                                     [=](std::uint64_t key) { return key >> kRowBits != value; });
      const Index before = (first - keys_.begin()) + (first < split ? 0 : zeros);
      const Index rank = 2 * before + (last - first) - 1;
      for (; first != last; ++first) of_row_[*first & 0xFFFF'FFFFU] = rank;
    }
  }

  /// 2 |AUC - 1/2| of these rows against the others.
  double separation(std::span<const Index> positives) const {
    Index twice = 0;
    for (const Index row : positives) twice += of_row_[as_size(row)];
    const Index count = std::ssize(positives);
    const auto pairs = static_cast<double>(count * (std::ssize(of_row_) - count));
    return std::fabs(static_cast<double>(twice - count * (count - 1)) / pairs - 1);
  }

 private:
  std::vector<Index> of_row_;
  std::vector<std::uint64_t> keys_;  ///< of the entries: the value, then the row
};

/// Whether the value of every row is larger than that of the row before, or of every row smaller.
bool is_ordered(const Entries& entries, Index rows) {
  if (std::ssize(entries) + 1 < rows) return false;
  std::vector<double> values(as_size(rows), 0);
  for (const auto& [value, row] : entries) values[as_size(row)] = value;
  return std::ranges::adjacent_find(values, std::greater_equal{}) == values.end() ||
         std::ranges::adjacent_find(values, std::less_equal{}) == values.end();
}

/// Whether the rows with a label lie together, as if the file were sorted by it.
bool is_sorted_by(std::span<const Index> positives, Index rows) {
  Index runs = 1;
  for (std::size_t k = 1; k < positives.size(); ++k) {
    if (positives[k] != positives[k - 1] + 1) ++runs;
  }
  const auto count = static_cast<double>(positives.size());
  const double expected =
      count * (static_cast<double>(rows) - count + 1) / static_cast<double>(rows);
  return static_cast<double>(runs) <= kRunsOfSorted * expected;
}

/// Looks at the columns of one data set.
class ColumnSearch {
 public:
  explicit ColumnSearch(const Dataset& data)
      : data_(data),
        columns_(columns_of(data)),
        rows_(sampled_rows(data)),
        sampled_(labels_in(data, rows_)) {}

  std::vector<std::string> warnings() {
    if (std::ssize(columns_) < kLeastColumns || sampled_.labels.empty()) return {};
    look();
    std::vector<std::string> found;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (ordered_[c]) found.push_back(order_sentence(columns_[c]));
    }
    const auto separated = separated_labels();
    const auto separating = as_size(
        std::ranges::count_if(separated, [](const auto& labels) { return !labels.empty(); }));
    if (separating > kMostColumns) return found;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (separated[c].empty() || ordered_[c]) continue;
      found.push_back(separation_sentence(columns_[c], separated[c]));
    }
    return found;
  }

 private:
  void look() {
    const auto entries = entries_of(data_, rows_, columns_);
    const auto by = std::ranges::find_if(sampled_.positives, [&](const auto& rows) {
      return is_sorted_by(rows, std::ssize(rows_));
    });
    if (by != sampled_.positives.end()) {
      sorted_by_ = sampled_.labels[as_size(by - sampled_.positives.begin())];
    }
    close_.assign(sampled_.labels.size(), 0);
    separator_.assign(sampled_.labels.size(), kNone);
    ordered_.assign(columns_.size(), 0);
    for (std::size_t c = 0; c < columns_.size(); ++c) look_at(c, entries);
  }

  void look_at(std::size_t column, const std::vector<Entries>& entries) {
    std::vector<double> best(sampled_.labels.size(), 0);
    RankedRows ranks(std::ssize(rows_));
    for (Index k = 0; k < columns_[column].count; ++k) {
      const Entries& of_feature = entries[as_size(columns_[column].first + k)];
      // Too few to separate a label.
      if (std::ssize(of_feature) < kLeastOfEach - 1) continue;
      if (sorted_by_ && is_ordered(of_feature, std::ssize(rows_))) ordered_[column] = 1;
      ranks.rank(of_feature);
      for (std::size_t i = 0; i < best.size(); ++i) {
        best[i] = std::max(best[i], ranks.separation(sampled_.positives[i]));
      }
    }
    for (std::size_t i = 0; i < best.size(); ++i) {
      if (best[i] >= kComesClose) ++close_[i];
      if (best[i] >= kSeparates) separator_[i] = column;
    }
  }

  /// By column: the labels that it alone separates.
  std::vector<std::vector<LabelId>> separated_labels() const {
    std::vector<std::vector<LabelId>> separated(columns_.size());
    for (std::size_t i = 0; i < separator_.size(); ++i) {
      if (separator_[i] != kNone && close_[i] == 1) {
        separated[separator_[i]].push_back(sampled_.labels[i]);
      }
    }
    return separated;
  }

  std::string label(LabelId label) const {
    return printable(name_or_number(data_.label_names, label));
  }

  /// "use --id row" where an option can say so.
  std::string remedy(const Column& column, Option option) const {
    if (data_.labels_from.empty() || data_.feature_names.empty()) return "leave it out";
    return fmt::format("use {}", option_text(option, column.name));
  }

  std::string order_sentence(const Column& column) const {
    return fmt::format(
        "the column '{}' counts through rows that seem to be sorted by label '{}', so that a model "
        "learns their order in this file from it: {}",
        printable(column.name), label(*sorted_by_), remedy(column, Option::identifier_columns));
  }

  std::string separation_sentence(const Column& column, const std::vector<LabelId>& labels) const {
    const auto others = labels.size() - 1;
    return fmt::format(
        "the column '{}' alone tells label '{}'{} nearly without error, and no other column comes "
        "close: if it is not known yet when labels are predicted, {}",
        printable(column.name), label(labels.front()),
        others == 0 ? "" : fmt::format(" and {} other{}", others, others == 1 ? "" : "s"),
        remedy(column, Option::drop));
  }

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  const Dataset& data_;
  std::vector<Column> columns_;
  std::vector<Index> rows_;
  SampledLabels sampled_;
  std::optional<LabelId> sorted_by_;    ///< the first label that the rows seem to be sorted by
  std::vector<char> ordered_;           ///< by column
  std::vector<Index> close_;            ///< by sampled label: columns that come close
  std::vector<std::size_t> separator_;  ///< by sampled label: a column that separates it
};

}  // namespace

std::vector<std::string> suspicious_columns(const Dataset& data) {
  return ColumnSearch(data).warnings();
}

}  // namespace mugrad

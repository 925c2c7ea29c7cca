// SPDX-License-Identifier: MIT
#include "data/formats/table/encoding.h"

#include "data/formats/rows_memory.h"
#include "data/formats/source_text.h"
#include "data/formats/table/generated_names.h"

#include <mugrad/core/error.h>
#include <mugrad/core/option_text.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

namespace mugrad::formats {
namespace {

/// A dense matrix larger than this (16 GiB) comes from a text treated as nominal, not from data.
constexpr Index kMostDenseCells = Index{1} << 31;

using Kind = ColumnEncoding::Kind;

/// The parts of a date, in the order of date_names(). Parts of a second do not count: most hours
/// are no exact share of a day.
std::array<double, kDateFeatures> date_parts(double days) {
  constexpr Index kSecondsPerHour = 3600;
  constexpr Index kSecondsPerDay = 24 * kSecondsPerHour;
  const Index seconds = std::llround(days * kSecondsPerDay);
  const Index from_midnight = (seconds % kSecondsPerDay + kSecondsPerDay) % kSecondsPerDay;
  const Index hour = from_midnight / kSecondsPerHour;
  const std::chrono::sys_days date{std::chrono::days((seconds - from_midnight) / kSecondsPerDay)};
  const std::chrono::year_month_day calendar(date);
  return {days, static_cast<double>(static_cast<unsigned>(calendar.month())),
          static_cast<double>(std::chrono::weekday(date).iso_encoding()),
          static_cast<double>(hour)};
}

/// Calls put(column, value) for the non-zero columns of one raw value that is not missing,
/// ascending.
template <class Put>
void expand_present(const ColumnEncoding& encoding, double raw, Put&& put) {
  if (encoding.kind == Kind::number) {
    if (raw != 0) put(encoding.first, raw);
  } else if (encoding.kind == Kind::date) {
    const auto parts = date_parts(raw);
    for (FeatureId k = 0; k < kDateFeatures; ++k) {
      if (parts[as_size(k)] != 0) put(encoding.first + k, parts[as_size(k)]);
    }
  } else if (encoding.kind == Kind::values) {
    const auto k = encoding.column_for(static_cast<std::size_t>(raw));
    if (k >= 0) put(encoding.first + k, 1.0);
  }
}

/// The same for any raw value. A missing value that is not filled in is NaN in all columns.
template <class Put>
void expand(const ColumnEncoding& encoding, double raw, Put&& put) {
  if (encoding.kind == Kind::nothing) return;
  const bool is_unknown = encoding.kind == Kind::values && encoding.means_missing(raw);
  if (!is_unknown && !std::isnan(raw)) return expand_present(encoding, raw, put);
  const FeatureId values = encoding.width - (encoding.marks_missing ? 1 : 0);
  if (!std::isnan(encoding.fill)) {
    if (encoding.kind != Kind::values) expand_present(encoding, encoding.fill, put);
  } else if (!encoding.marks_missing) {
    constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
    for (FeatureId k = 0; k < values; ++k) put(encoding.first + k, kMissing);
  }
  if (encoding.marks_missing) put(encoding.first + values, 1.0);
}

void check_size(const EncodingPlan& plan, const RawFeatures& raw, const std::string& file) {
  if (plan.width == 0 || raw.rows() <= kMostDenseCells / plan.width) return;
  const auto widest = std::ranges::max_element(plan.columns, {}, &ColumnEncoding::width);
  if (widest->width == 1) return;
  throw InputError(fmt::format(
      "{}: attribute {} has {} values, too many for one column each; "
      "{} drops it",
      file, shown(widest->attribute), widest->width, option_text(Option::drop, widest->attribute)));
}

Matrix<double> expand_dense(const RawFeatures& raw, const EncodingPlan& plan) {
  Matrix<double> result(raw.rows(), plan.width);
  for (Index row = 0; row < raw.rows(); ++row) {
    auto out = result.row(row);
    raw.for_each_in_row(row, [&](FeatureId position, double value) {
      expand(plan.columns[as_size(position)], value,
             [&](FeatureId column, double made) { out[as_size(column)] = made; });
    });
  }
  return result;
}

/// Features are held beside the rows that were read.
void require_memory_for(double bytes, const std::string& file) {
  require_memory_for_rows("features", bytes, file, smaller_table());
}

void require_dense(Index rows, Index width, const std::string& file) {
  require_memory_for(static_cast<double>(rows) * static_cast<double>(width) * sizeof(double), file);
}

/// Makes sparse rows. Besides the stored entries, a row has the columns of texts, and the
/// attributes whose first value sets a column to 1.
class SparseExpansion {
 public:
  SparseExpansion(const EncodingPlan& plan, std::vector<CsrMatrix<double>> terms)
      : plan_(plan), terms_(std::move(terms)) {
    FeatureId end = 0;
    for (std::size_t i = 0; i < plan.columns.size(); ++i) {
      const auto& column = plan.columns[i];
      if (column.expands_zero()) implied_.push_back(static_cast<FeatureId>(i));
      text_of_.push_back(texts_);
      if (column.kind == Kind::terms) ++texts_;
      if (column.kind == Kind::nothing) continue;
      is_ordered_ = is_ordered_ && column.first >= end;
      end = column.first + column.width;
    }
    result_.cols = plan.width;
  }

  CsrMatrix<double> of(const RawFeatures& raw, const std::string& file) && {
    make_room(raw, file);
    for (row_ = 0; row_ < raw.rows(); ++row_) {
      const auto begin = result_.column.size();
      add_row(raw);
      if (!is_ordered_) sort_from(begin);
      result_.end_row();
    }
    return std::move(result_);
  }

 private:
  /// For nearly all entries: arrays that grow are copied.
  void make_room(const RawFeatures& raw, const std::string& file) {
    Index entries = 0;
    for (const auto& text : terms_) entries += text.nonzeros();
    for (Index row = 0; row < raw.rows(); ++row) {
      raw.for_each_in_row(row, [&](FeatureId, double) { ++entries; });
    }
    for (const FeatureId position : implied_) {
      const auto& column = plan_.columns[as_size(position)];
      // A date has several entries besides the one that is counted, a category has one.
      if (column.kind == Kind::date) entries += raw.rows() * kDateFeatures;
      if (column.kind == Kind::values) entries += raw.rows();
    }
    constexpr double kPerEntry = sizeof(FeatureId) + sizeof(double);
    require_memory_for(static_cast<double>(entries) * kPerEntry, file);
    result_.column.reserve(as_size(entries));
    result_.value.reserve(as_size(entries));
  }

  void add_row(const RawFeatures& raw) {
    auto next = implied_.begin();
    raw.for_each_in_row(row_, [&](FeatureId position, double value) {
      for (; next != implied_.end() && *next < position; ++next) add(*next, 0);
      if (next != implied_.end() && *next == position) ++next;
      add(position, value);
    });
    for (; next != implied_.end(); ++next) add(*next, 0);
  }

  void add(FeatureId position, double raw) {
    const auto& encoding = plan_.columns[as_size(position)];
    if (encoding.kind == Kind::terms) return add_terms(encoding, text_of_[as_size(position)]);
    expand(encoding, raw, [&](FeatureId column, double value) { put(column, value); });
  }

  void add_terms(const ColumnEncoding& encoding, std::size_t text) {
    const auto columns = terms_[text].row_columns(row_);
    const auto values = terms_[text].row_values(row_);
    for (std::size_t k = 0; k < columns.size(); ++k) put(encoding.first + columns[k], values[k]);
  }

  void put(FeatureId column, double value) {
    result_.column.push_back(column);
    result_.value.push_back(value);
  }

  /// The columns of a model may be in another order than those of the file.
  void sort_from(std::size_t begin) {
    entries_.clear();
    for (std::size_t k = begin; k < result_.column.size(); ++k) {
      entries_.emplace_back(result_.column[k], result_.value[k]);
    }
    std::ranges::sort(entries_, {}, &std::pair<FeatureId, double>::first);
    for (const auto& [column, value] : entries_) {
      result_.column[begin] = column;
      result_.value[begin++] = value;
    }
  }

  const EncodingPlan& plan_;
  std::vector<CsrMatrix<double>> terms_;  ///< of each text
  std::vector<std::size_t> text_of_;      ///< of each position: the texts before it
  std::vector<FeatureId> implied_;
  std::size_t texts_ = 0;
  bool is_ordered_ = true;
  Index row_ = 0;
  std::vector<std::pair<FeatureId, double>> entries_;
  CsrMatrix<double> result_;
};

std::vector<CsrMatrix<double>> counted_terms(const TableBlock& block, const EncodingPlan& plan,
                                             const ReadOptions& options) {
  std::vector<CsrMatrix<double>> terms;
  if (block.texts.empty()) return terms;
  ThreadPool pool(options.threads);
  for (const auto& column : plan.columns) {
    if (column.kind != Kind::terms) continue;
    terms.push_back(column.terms->count(block.texts[terms.size()].cells(), pool));
  }
  return terms;
}

/// The code of the first value of a column that the model does not know.
std::optional<std::size_t> unknown_code(const ValueSurvey& survey, std::size_t column,
                                        const ColumnEncoding& encoding) {
  const auto& codes = *survey.columns()[column].values;
  for (std::size_t code = 0; code < codes.size(); ++code) {
    const bool is_unknown = encoding.column_for(code) == encoding.other && !codes[code].empty();
    if (is_unknown && survey.occurs(column, code)) return code;
  }
  return std::nullopt;
}

std::string_view consequence(const ColumnEncoding& encoding) {
  if (encoding.other == ColumnEncoding::kNone) return "all of its columns are 0 there";
  if (encoding.other == ColumnEncoding::kMissing) return "counted as missing";
  return "they share a column with rare values";
}

}  // namespace

double encoded_density(const RawFeatures& raw, const EncodingPlan& plan, Index rows) {
  assert(!raw.is_sparse() && rows <= raw.rows());
  const double cells = static_cast<double>(rows) * static_cast<double>(plan.width);
  Index entries = 0;
  for (Index row = 0; row < rows; ++row) {
    raw.for_each_in_row(row, [&](FeatureId position, double value) {
      expand(plan.columns[as_size(position)], value, [&](FeatureId, double) { ++entries; });
    });
  }
  return cells == 0 ? 1 : static_cast<double>(entries) / cells;
}

Features encode(TableBlock& block, const EncodingPlan& plan, const std::string& file,
                const ReadOptions& options) {
  const auto is_identity = [&] {
    FeatureId next = 0;
    return std::ranges::all_of(plan.columns, [&](const ColumnEncoding& column) {
      return column.is_identity() && column.first == next++;
    });
  };
  if (is_identity() && std::ssize(plan.columns) == plan.width) {
    if (!block.raw.is_sparse()) require_dense(block.raw.rows(), plan.width, file);
    return std::move(block.raw).take();
  }
  if (block.raw.is_sparse()) {
    return SparseExpansion(plan, counted_terms(block, plan, options)).of(block.raw, file);
  }
  check_size(plan, block.raw, file);
  require_dense(block.raw.rows(), plan.width, file);
  return expand_dense(block.raw, plan);
}

void UnknownValues::tell(const RawFeatures& block, const std::vector<FeatureColumn>& columns,
                         const EncodingPlan& plan, const ReadOptions& options) {
  if (std::ranges::none_of(plan.columns, &ColumnEncoding::is_of_model)) return;
  is_told_.resize(columns.size());
  ValueSurvey survey(columns);
  survey.add(block);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto& encoding = plan.columns[i];
    if (!encoding.is_of_model || is_told_[i]) continue;
    const auto code = unknown_code(survey, i, encoding);
    if (!code) continue;
    is_told_[i] = true;
    options.tell(fmt::format("{} has values that the model does not know, such as {}: {}",
                             shown(encoding.attribute), shown((*columns[i].values)[*code]),
                             consequence(encoding)));
  }
}

}  // namespace mugrad::formats

// SPDX-License-Identifier: MIT
#include "data/formats/svm/svm_rows.h"

#include "data/formats/number.h"
#include "data/formats/rows_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace mugrad::formats {

SvmRowReader::SvmRowReader(const SourceText& source, const SvmShape& shape)
    : source_(source), shape_(shape) {}

void SvmRowReader::expect_all() {
  const auto entries = as_size(std::count(source_.begin(), source_.end(), ':'));
  constexpr double kPerEntry = sizeof(FeatureId) + sizeof(double);
  require_memory_for_rows("values", static_cast<double>(entries) * kPerEntry, source_.name(),
                          "a sample of the rows");
  features_.column.reserve(entries);
  features_.value.reserve(entries);
}

void SvmRowReader::read(std::string_view line) {
  const char* at = line.data();
  const char* end = at + line.size();
  if (at != end && !is_blank(*at)) at = read_labels(at, end);
  for (at = skip_blanks(at, end); at != end; at = skip_blanks(at, end)) at = read_feature(at, end);
  end_row();
}

/// Returns the start of the features, which may be the start of the line.
const char* SvmRowReader::read_labels(const char* at, const char* end) {
  constexpr std::string_view kExpected =
      "expected labels 'l1,l2' as numbers from 0, then 'index:value'";
  const char* line = at;
  for (;; ++at) {
    const char* start = at;
    Index label = 0;
    at = scan_column(at, end, label);
    if (at == start) fail_token(start, end, kExpected);
    if (at != end && *at == ':' && start == line) return line;
    if (at != end && *at != ',' && !is_blank(*at)) fail_token(start, end, kExpected);
    const Index limit = shape_.labels.value_or(kMostColumns);
    if (label >= limit) {
      source_.fail(start, fmt::format("label {} is beyond the {} labels {}, which count from 0",
                                      std::string_view(start, as_size(at - start)), limit,
                                      shape_.labels ? shape_.known_from : "there can be"));
    }
    row_labels_.add(label, 1, start);
    if (at == end || *at != ',') return at;
  }
}

const char* SvmRowReader::read_feature(const char* at, const char* end) {
  constexpr std::string_view kExpected = "expected 'index:value', the index a whole number";
  const char* start = at;
  Index index = 0;
  at = scan_column(at, end, index);
  if (at == start || at == end || *at != ':') fail_token(start, end, kExpected);
  const char* value_at = ++at;
  double value = 0;
  at = scan_number(value_at, end, value);
  if (at == value_at || (at != end && !is_blank(*at))) fail_token(start, end, kExpected);
  if (!std::isfinite(value)) {
    source_.fail(value_at, fmt::format("'{}' is not a finite number",
                                       std::string_view(value_at, as_size(at - value_at))));
  }
  const Index column = index - shape_.first_feature;
  if (column < 0) source_.fail(start, "feature index 0, but LIBSVM counts features from 1");
  const Index limit = shape_.features.value_or(kMostColumns);
  if (column >= limit) {
    source_.fail(start,
                 fmt::format("feature index {} is beyond the {} features {}, which count from {}",
                             index, limit, shape_.features ? shape_.known_from : "there can be",
                             shape_.first_feature));
  }
  row_.add(column, value, start);
  return at;
}

void SvmRowReader::end_row() {
  const auto entries = row_.sorted(source_, "feature index", shape_.first_feature);
  if (!entries.empty()) widest_feature_ = std::max(widest_feature_, entries.back().column + 1);
  for (const auto& entry : entries) {
    if (entry.value == 0) continue;
    features_.column.push_back(static_cast<FeatureId>(entry.column));
    features_.value.push_back(entry.value);
  }
  features_.end_row();
  const auto labels = row_labels_.sorted(source_, "label");
  if (!labels.empty()) widest_label_ = std::max(widest_label_, labels.back().column + 1);
  for (const auto& label : labels) labels_.column.push_back(static_cast<LabelId>(label.column));
  labels_.end_row();
  row_.clear();
  row_labels_.clear();
}

Dataset SvmRowReader::take(std::string name) {
  if (rows() == 0) source_.fail("the file has no examples");
  taken_ = rows();
  features_.cols = shape_.features.value_or(widest_feature_);
  labels_.cols = shape_.labels.value_or(widest_label_);
  return {.name = std::move(name),
          .x = std::exchange(features_, {}),
          .y = std::exchange(labels_, {}),
          .feature_names = {},
          .label_names = {},
          .labels_from = "its rows"};
}

void SvmRowReader::fail_token(const char* at, const char* end, std::string_view expected) const {
  const auto* stop = std::find_if(at, end, is_blank);
  source_.fail(at, fmt::format("{}, {}", shown({at, as_size(stop - at)}), expected));
}

std::string_view without_comment(std::string_view line, bool& had_comment) noexcept {
  const auto comment = line.find('#');
  had_comment = comment != std::string_view::npos;
  return had_comment ? line.substr(0, comment) : line;
}

void append_svm_row(std::string& text, const Dataset& data, Index row, Index first_feature,
                    std::optional<Index> width_mark) {
  const auto labels = data.y.row(row);
  for (std::size_t k = 0; k < labels.size(); ++k) {
    if (k > 0) text += ',';
    append_number(text, Index{labels[k]});
  }
  const auto start = text.size();
  data.x.for_each_in_row(row, [&](FeatureId column, double value) {
    if (value == 0) return;
    text += ' ';
    append_number(text, column + first_feature);
    text += ':';
    append_number(text, value);
  });
  if (width_mark) {
    text += ' ';
    append_number(text, *width_mark + first_feature);
    text += ":0";
  }
  // A line must not be empty: an example without labels starts with a blank.
  if (labels.empty() && text.size() == start) text += ' ';
  text += '\n';
}

}  // namespace mugrad::formats

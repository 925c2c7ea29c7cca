// SPDX-License-Identifier: MIT
#include "fuzz/support.h"
#include "fuzz/targets.h"

#include <mugrad/data/files.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace mugrad::fuzz {
namespace {

std::vector<std::string> names_of(Choices& choices, Index count) {
  std::vector<std::string> names;
  for (Index i = 0; i < count; ++i) names.push_back(choices.text());
  return names;
}

Features features_of(Choices& choices, Index rows, Index cols) {
  const bool is_sparse = choices.flip();
  CsrMatrix<double> sparse;
  Matrix<double> dense(rows, cols);
  sparse.cols = cols;
  for (Index row = 0; row < rows; ++row) {
    for (Index j = 0; j < cols; ++j) {
      dense(row, j) = choices.number();
      if (!is_sparse || dense(row, j) == 0) continue;
      sparse.column.push_back(static_cast<FeatureId>(j));
      sparse.value.push_back(dense(row, j));
    }
    sparse.end_row();
  }
  if (is_sparse) return sparse;
  return dense;
}

Dataset dataset_of(Choices& choices) {
  const auto rows = static_cast<Index>(1 + choices.below(4));
  const auto features = static_cast<Index>(choices.below(4));
  const auto labels = static_cast<Index>(choices.below(4));
  Dataset data{.name = choices.text(),
               .x = features_of(choices, rows, features),
               .y = {.cols = labels},
               .unknown = {.cols = labels},
               .feature_names = {},
               .label_names = {}};
  for (Index row = 0; row < rows; ++row) {
    for (LabelId label = 0; label < labels; ++label) {
      const auto value = choices.below(4);
      if (value == 1) data.y.column.push_back(label);
      if (value == 3) data.unknown.column.push_back(label);
    }
    data.y.end_row();
    data.unknown.end_row();
  }
  if (data.unknown.ones() == 0) data.unknown = {};
  if (choices.flip()) {
    data.feature_names = names_of(choices, features);
    data.label_names = names_of(choices, labels);
  }
  return data;
}

/// What must come back. NaN stands for NaN, and a zero for a zero of either sign.
bool same_values(const Dataset& a, const Dataset& b) {
  if (a.rows() != b.rows() || a.features() != b.features()) return false;
  const auto entries = [](const Dataset& data, Index row) {
    std::vector<std::pair<FeatureId, std::uint64_t>> found;
    data.x.for_each_in_row(row, [&](FeatureId column, double value) {
      if (value == 0) return;
      const double canonical = std::isnan(value) ? NAN : value;
      found.emplace_back(column, std::bit_cast<std::uint64_t>(canonical));
    });
    return found;
  };
  for (Index row = 0; row < a.rows(); ++row) {
    if (entries(a, row) != entries(b, row)) return false;
    if (!std::ranges::equal(a.y.row(row), b.y.row(row))) return false;
    if (!std::ranges::equal(a.unknown_of(row), b.unknown_of(row))) return false;
  }
  return true;
}

/// Names that stand in the file come back; where there were none, some were made.
bool same_names(const std::vector<std::string>& written, const std::vector<std::string>& read) {
  return written.empty() || written == read;
}

void round_trip(const Dataset& data, const FormatInfo& info) {
  const Format format = info.format;
  const auto path = free_path(info.has_names ? "data.arff" : "data.txt");
  free_path("data.xml");
  if (!accepted([&] { write_dataset(data, path, format); })) return;
  ReadOptions options{
      .format = format, .labels_optional = true, .keep_ids = true, .missing = Missing::keep};
  // Some files do not say which columns are labels, and a LIBSVM file does not say how many.
  if (!info.declares_labels) options.label_count = -data.labels();
  if (!info.has_names) options.label_count = data.labels();
  if (data.labels() == 0) options.label_count = {};
  const Dataset again = read_dataset(path, options);
  require(same_values(data, again), "values change when a data set is written and read again");
  require(again.labels() == data.labels(), "labels are lost when a data set is written");
  if (!info.has_names) return;
  require(same_names(data.feature_names, again.feature_names), "names of features change");
  require(same_names(data.label_names, again.label_names), "names of labels change");
}

}  // namespace

void data_writers(std::string_view input) {
  Choices choices(input);
  const FormatInfo& format = file_formats()[choices.below(file_formats().size())];
  round_trip(dataset_of(choices), format);
}

}  // namespace mugrad::fuzz

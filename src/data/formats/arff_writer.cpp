// SPDX-License-Identifier: MIT
#include "data/formats/arff.h"
#include "data/formats/arff_text.h"
#include "data/formats/column_names.h"
#include "data/formats/label_values.h"
#include "data/formats/label_xml.h"
#include "data/formats/number.h"

#include <mugrad/core/atomic_file.h>
#include <mugrad/core/error.h>

#include <fmt/format.h>

#include <cmath>

namespace mugrad::formats {
namespace {

/// Of each LabelValue.
constexpr char kLabelText[] = {'0', '1', '?'};

void append_value(std::string& text, double value) {
  std::isnan(value) ? text.push_back('?') : append_number(text, value);
}

std::string header(const Dataset& data, const ColumnNames& names) {
  std::string text = "@relation ";
  append_token(text, data.name);
  text += "\n\n";
  const auto declare = [&](const std::vector<std::string>& attributes, std::string_view type) {
    for (const auto& name : attributes) {
      text += "@attribute ";
      append_token(text, name);
      text += type;
    }
  };
  declare(names.features, " numeric\n");
  declare(names.labels, " {0,1}\n");
  return text + "\n@data\n";
}

void append_dense_row(std::string& text, const Dataset& data, Index row) {
  data.x.for_each_in_row(row, [&](FeatureId, double value) {
    append_value(text, value);
    text += ',';
  });
  for_each_label(data, row, [&](LabelValue value) {
    text += kLabelText[static_cast<std::size_t>(value)];
    text += ',';
  });
  text.back() = '\n';
}

void append_sparse_row(std::string& text, const Dataset& data, Index row) {
  text += '{';
  data.x.for_each_in_row(row, [&](FeatureId column, double value) {
    append_number(text, Index{column});
    text += ' ';
    append_value(text, value);
    text += ',';
  });
  Index column = data.features();
  for_each_label(data, row, [&](LabelValue value) {
    if (value != LabelValue::zero) {
      append_number(text, column);
      text += ' ';
      text += kLabelText[static_cast<std::size_t>(value)];
      text += ',';
    }
    ++column;
  });
  if (text.back() == ',') text.pop_back();
  text += "}\n";
}

}  // namespace

std::vector<std::filesystem::path> write_arff(const Dataset& data,
                                              const std::filesystem::path& path) {
  const auto names = column_names(data);
  check_values(data, true, "ARFF");
  auto beside = path;
  beside.replace_extension(".xml");
  if (beside == path) {
    throw UsageError(
        fmt::format("{} is where the label names go; give the ARFF file another "
                    "ending",
                    path.string()));
  }
  if (std::filesystem::exists(path) && !std::filesystem::is_regular_file(path)) {
    throw UsageError(fmt::format(
        "{} is no regular file, and an ARFF file needs one, with its label names beside it",
        path.string()));
  }
  AtomicFile file(path);
  file.write(header(data, names));
  std::string text;
  for (Index row = 0; row < data.rows(); ++row) {
    text.clear();
    data.x.is_sparse() ? append_sparse_row(text, data, row) : append_dense_row(text, data, row);
    file.write(text);
  }
  if (names.labels.empty()) {
    file.commit();
    return {path};
  }
  AtomicFile xml(beside);
  xml.write(label_xml(names.labels));
  xml.commit();
  file.commit();
  return {path, beside};
}

}  // namespace mugrad::formats

// SPDX-License-Identifier: MIT
#include "core/file_names.h"
#include "core/mapped_file.h"
#include "core/staged_files.h"
#include "data/formats/arff/arff_header.h"
#include "data/formats/arff/arff_text.h"
#include "data/formats/arff/label_xml.h"
#include "data/formats/formats.h"
#include "data/formats/number.h"
#include "data/formats/table/column_names.h"
#include "data/formats/write_rows.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace mugrad::formats {
namespace {

/// Text of each LabelValue.
constexpr char kLabelText[] = {'0', '1', '?'};

void append_value(std::string& text, double value) {
  std::isnan(value) ? text.push_back('?') : append_number(text, value);
}

/// The name of a data set may be that of a file and contain anything. Control bytes would make the
/// file unreadable as text, and readers would interpret `-C 3` as MEKA's declaration of labels.
std::string relation_name(std::string name) {
  std::ranges::replace_if(
      name, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, '_');
  return parse_relation(name).name;
}

std::string header(const Dataset& data, const ColumnNames& names) {
  std::string text = "@relation ";
  append_token(text, relation_name(data.name));
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

void write_table(const Dataset& data, const ColumnNames& names, Progress* progress,
                 AtomicFile& file) {
  file.write(header(data, names));
  write_rows(file, data.rows(), progress, [&](std::string& text, Index row) {
    data.x.is_sparse() ? append_sparse_row(text, data, row) : append_dense_row(text, data, row);
  });
}

/// Empty if there is no such file.
std::string content_of(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) return {};
  const MappedFile file(path);
  return file.while_whole([&] { return std::string(file.bytes()); });
}

/// The label file is replaced although the user has not named it, so check that it is one.
void check_label_file(const std::filesystem::path& path, const std::filesystem::path& beside) {
  if (!std::filesystem::exists(beside)) return;
  try {
    read_label_xml(beside);
  } catch (const InputError& error) {
    throw InputError(
        fmt::format("{} would be replaced by the label file of {}, but it is not one ({}): choose "
                    "another name",
                    beside.string(), path.string(), error.what()));
  }
}

/// For a new ARFF file, or one whose label file does not change: an ARFF file with wrong labels
/// never exists.
void write_labels_first(const Dataset& data, const ColumnNames& names,
                        const std::filesystem::path& path, const std::string& xml,
                        Progress* progress) {
  const auto beside = label_file_of(path);
  AtomicFile file(path);
  write_table(data, names, progress, file);
  if (xml.empty()) {
    std::filesystem::remove(beside);
  } else if (xml != content_of(beside)) {
    write_file(beside, xml);
  }
  file.commit();
}

/// Replaces an ARFF file and its label file, which has other labels, together.
void replace_both(const Dataset& data, const ColumnNames& names, const std::filesystem::path& path,
                  const std::string& xml, Progress* progress) {
  const auto beside = label_file_of(path);
  const auto end = follow_links(path).path;
  const auto end_beside = follow_links(beside).path;
  if (!std::filesystem::equivalent(folder_of(end), folder_of(end_beside))) {
    throw InputError(
        fmt::format("{} and {} are links to different folders, so that they cannot be replaced "
                    "together: remove them first",
                    path.string(), beside.string()));
  }
  StagedFiles files(folder_of(end), FolderUse::shared);
  // Labels first: they appear before the rows.
  const auto staged_labels = files.add(end_beside.filename());
  if (!xml.empty()) write_file(staged_labels, xml);
  AtomicFile file(files.add(end.filename()));
  write_table(data, names, progress, file);
  file.commit();
  files.commit();
}

}  // namespace

std::vector<std::filesystem::path> write_arff(const Dataset& data,
                                              const std::filesystem::path& path,
                                              Progress* progress) {
  const auto names = column_names(data);
  check_values(data, true, "ARFF");
  const auto beside = label_file_of(path);
  if (beside == path) {
    throw UsageError(
        fmt::format("{} is the file for the label names; give the ARFF file another "
                    "extension",
                    path.string()));
  }
  if (std::filesystem::exists(path) && !std::filesystem::is_regular_file(path)) {
    throw UsageError(
        fmt::format("{} is not a regular file, which ARFF needs, because label names go beside it",
                    path.string()));
  }
  check_label_file(path, beside);
  const std::string xml = names.labels.empty() ? "" : label_xml(names.labels);
  if (std::filesystem::exists(path) && xml != content_of(beside)) {
    replace_both(data, names, path, xml, progress);
  } else {
    write_labels_first(data, names, path, xml, progress);
  }
  return names.labels.empty() ? std::vector{path} : std::vector{path, beside};
}

}  // namespace mugrad::formats

// SPDX-License-Identifier: MIT
#include "support/data_files.h"

#include <mugrad/core/error.h>

#include <gtest/gtest.h>

namespace mugrad::testing {

Dataset DataFiles::read(std::string_view name, std::string_view content, ReadOptions options) {
  notes.clear();
  options.note = [this](const std::string& note) { notes.push_back(note); };
  return read_dataset(folder_.write(name, content), options);
}

std::string DataFiles::error(std::string_view name, std::string_view content, ReadOptions options) {
  return error_of([&] {
    try {
      read(name, content, std::move(options));
    } catch (const UsageError& error) {
      ADD_FAILURE() << "not the file's fault: " << error.what();
    }
  });
}

std::string DataFiles::error_of(const std::function<void()>& call) const {
  try {
    call();
  } catch (const Error& error) {
    std::string message = error.what();
    const auto folder = folder_.path().string() + "/";
    for (auto at = message.find(folder); at != message.npos; at = message.find(folder)) {
      message.erase(at, folder.size());
    }
    return message;
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

double entry(const Features& features, Index row, Index column) {
  return row_of(features, row)[static_cast<std::size_t>(column)];
}

std::vector<double> row_of(const Features& features, Index row) {
  std::vector<double> result(static_cast<std::size_t>(features.cols()), 0);
  features.for_each_in_row(row, [&](FeatureId column, double value) {
    result[static_cast<std::size_t>(column)] = value;
  });
  return result;
}

std::vector<LabelId> labels_of(const Dataset& data, Index row) {
  const auto labels = data.y.row(row);
  return {labels.begin(), labels.end()};
}

}  // namespace mugrad::testing

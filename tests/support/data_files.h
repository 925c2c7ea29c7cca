// SPDX-License-Identifier: MIT
#pragma once

#include "support/temporary_folder.h"

#include <mugrad/data/files.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad::testing {

/// A folder of small data files made by a test, and what was noted while reading them.
class DataFiles {
 public:
  std::filesystem::path write(std::string_view name, std::string_view content) const {
    return folder_.write(name, content);
  }
  std::filesystem::path operator/(std::string_view name) const { return folder_ / name; }

  /// Writes a file, if there is content, and reads it; the notes go to `notes`.
  Dataset read(std::string_view name, std::string_view content, ReadOptions options = {});
  /// The message of the InputError that reading it throws, the folder left out.
  std::string error(std::string_view name, std::string_view content, ReadOptions options = {});
  /// The message of the Error that the call throws, the folder left out.
  std::string error_of(const std::function<void()>& call) const;

  std::vector<std::string> notes;

 private:
  TemporaryFolder folder_;
};

/// The entry of a feature matrix, dense or sparse.
double entry(const Features& features, Index row, Index column);
/// All entries of a row.
std::vector<double> row_of(const Features& features, Index row);
std::vector<LabelId> labels_of(const Dataset& data, Index row);

}  // namespace mugrad::testing

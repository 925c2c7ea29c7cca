// SPDX-License-Identifier: MIT
#pragma once

#include "session.h"

#include <mugrad/data/align.h>
#include <mugrad/data/files.h>
#include <mugrad/model/model.h>

namespace mugrad::cli {

/// How a command is told which data to read and how.
struct DataArguments {
  std::string data;  ///< a file, or the name of a catalogued set that was fetched
  std::string format;
  std::string labels_xml;
  std::vector<std::string> label_columns;
  std::optional<Index> label_count;
  std::vector<std::string> drop;
  bool keep_ids = false;
  std::string impute;
};

void add_data_arguments(CLI::App& command, DataArguments& arguments);

/// The file that `name` means: itself when it exists, else a catalogued set on this machine.
std::filesystem::path data_path(const std::string& name);

/// Throws UsageError when the target is the data file, or its label file.
void refuse_overwriting(const DataArguments& arguments, const std::filesystem::path& target);

enum class Labels { required, optional };
Dataset read_data(const DataArguments& arguments, const Session& session,
                  Labels labels = Labels::required);

/// The columns a model expects, and the labels if `with_labels` (else those are optional).
struct ModelInput {
  Features x;
  AlignedLabels labels;
};
ModelInput read_for_model(const DataArguments& arguments, const Model& model, bool with_labels,
                          const Session& session);

}  // namespace mugrad::cli

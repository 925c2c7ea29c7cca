// SPDX-License-Identifier: MIT
#pragma once

#include "session.h"

#include <mugrad/data/align.h>
#include <mugrad/data/block_reader.h>
#include <mugrad/data/files.h>
#include <mugrad/method/method.h>
#include <mugrad/model/model.h>

#include <functional>
#include <span>

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
/// The same without the data themselves: how to read whatever they are.
void add_reading_options(CLI::App& command, DataArguments& arguments);

/// The file that `name` means: itself when it exists, else a catalogued set on this machine.
std::filesystem::path data_path(const std::string& name);

/// What results and studies call these data: the name without folder and ending.
std::string set_name(const std::string& data);

/// Says that the command reads the data, with their label file. Throws as CommandFiles does.
void declare_reads(const DataArguments& arguments, Session& session);
/// Says that the command writes a data set. Throws as CommandFiles and files_of_dataset do.
void declare_writes(const std::filesystem::path& path, std::optional<Format> format,
                    std::string_view as, Session& session);

/// How the arguments want data to be read.
ReadOptions read_options(const DataArguments& arguments, const Session& session);

enum class Labels { required, optional };
/// Reads all, and says what was taken as labels.
Dataset read_data(const DataArguments& arguments, const Session& session,
                  Labels labels = Labels::required);
/// The same, and notes nothing.
Dataset read_data_again(const DataArguments& arguments);

/// Notes how many labels there are and who says which: "birds.arff: 6 labels, from birds.xml".
void tell_labels(const DataArguments& arguments, const Dataset& data, const Session& session);

/// Throws MemoryError when a file says at its head that it holds more than the method can be
/// trained on with the memory there is: before its rows are read.
void refuse_what_does_not_fit(const DataArguments& arguments, const Session& session,
                              const Method& method, const OptionValues& values);

/// Rows in the columns a model expects.
struct ModelInput {
  Features x;
  AlignedLabels labels;  ///< if wanted

  std::span<const LabelId> unknown_of(Index row) const noexcept {
    return labels.unknown.rows() == 0 ? std::span<const LabelId>{} : labels.unknown.row(row);
  }
};

/// Reads data as a model expects them, in blocks, so that memory does not grow with the rows.
class ModelInputReader {
 public:
  /// Labels are read if `with_labels`, else they need not be there. What was taken as labels is
  /// said with the first block. Requires: the arguments, model and session outlive this.
  ModelInputReader(const DataArguments& arguments, const Model& model, bool with_labels,
                   const Session& session, Index block_rows = BlockReader::kRows);

  /// False when there are no more rows.
  bool next(ModelInput& block);
  /// Passes over the next rows, as many as a block has. False when there are none.
  bool skip() { return reader_.skip(); }
  /// The share of the file that has been read, in [0, 1].
  double share_read() const noexcept { return reader_.share_read(); }
  /// As Dataset::labels_from. Requires: a block was read.
  const std::string& labels_from() const noexcept { return labels_from_; }

 private:
  const Model& model_;
  const DataArguments& arguments_;
  const Session& session_;
  std::string labels_from_;
  bool is_first_ = true;
  bool with_labels_;
  bool imputes_;
  std::filesystem::path path_;
  std::function<void(const std::string&)> note_;
  ExpectedColumns features_, labels_;
  BlockReader reader_;
};

}  // namespace mugrad::cli

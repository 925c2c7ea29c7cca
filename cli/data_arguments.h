// SPDX-License-Identifier: MIT
#pragma once

#include "session.h"

#include <mugrad/data/align.h>
#include <mugrad/data/files.h>
#include <mugrad/method/method.h>
#include <mugrad/model/model.h>

#include <functional>
#include <span>

namespace mugrad::cli {

/// Arguments that select the data and how to read them.
struct DataArguments {
  std::string data;  ///< a file, "-", or the name of a catalogued set that was fetched
  std::string format;
  std::string labels_xml;
  std::vector<std::string> label_columns;
  std::optional<Index> label_count;
  std::string tags;
  std::string tag_separator;
  std::optional<Index> min_count;
  std::vector<std::string> drop;
  std::vector<std::string> numbers, categories, texts, dates, ids;  ///< columns with these roles
  bool keep_ids = false;
  std::string impute;
  /// Without --impute: whether missing values stay missing, as in commands that only copy data.
  bool keeps_missing = false;
  TextOptions text;
  std::string delimiter;
};

/// The names or titles of all file formats, for help texts: "arff, libsvm or csv".
std::string format_list(std::string_view FormatInfo::*text, std::string_view last = "or");
/// All file endings that name a format: ".arff .libsvm .svm".
std::string format_endings();

void add_data_arguments(CLI::App& command, DataArguments& arguments);
/// The same without the data: only how to read them.
void add_reading_options(CLI::App& command, DataArguments& arguments);

/// The file that `name` means: itself if it exists or is "-", standard input, else a catalogued set
/// on this machine.
std::filesystem::path data_path(const std::string& name);

/// The name of these data in results and studies: without folder and extensions.
std::string set_name(const std::string& data);

/// Declares that the command reads the data and their label file. Throws as CommandFiles does, and
/// UsageError for a pipe or standard input that several ranks would have to read.
void declare_reads(const DataArguments& arguments, Session& session);
/// Declares that the command writes a data set. Throws as CommandFiles and files_of_dataset do.
void declare_writes(const std::filesystem::path& path, std::optional<Format> format,
                    std::string_view as, Session& session);

/// The read options that the arguments select.
ReadOptions read_options(const DataArguments& arguments, const Session& session);

enum class Labels { required, optional };
/// Reads all rows, and reports which columns are labels. `summary` receives the roles of columns,
/// if they are guessed; by default, they are noted if some are texts, dates, identifiers or tags.
Dataset read_data(const DataArguments& arguments, const Session& session,
                  Labels labels = Labels::required,
                  std::function<void(const TableSummary&)> summary = {});
/// The same without notes. Requires: a KeptInputs has existed since the first time.
Dataset read_data_again(const DataArguments& arguments);
/// The same, with or without labels, and with NaN for missing values.
Dataset read_data_with_gaps(const DataArguments& arguments);

/// Notes the number of labels and their source: "birds.arff: 6 labels, from birds.xml".
void tell_labels(const DataArguments& arguments, const Dataset& data, const Session& session);

/// The same for training the method. Throws MemoryError before rows are read, if the header of a
/// file shows that it is too large for that in the available memory.
Dataset read_data_to_train(const DataArguments& arguments, const Session& session,
                           const Method& method, const OptionValues& values);

/// Rows in the columns a model expects.
struct ModelInput {
  Features x;
  AlignedLabels labels;                ///< if requested
  std::vector<std::string> row_names;  ///< of the first identifier, if the model has one

  std::span<const LabelId> unknown_of(Index row) const noexcept {
    return labels.unknown.rows() == 0 ? std::span<const LabelId>{} : labels.unknown.row(row);
  }
};

/// Reads data as a model expects them, in blocks, so that memory does not grow with the rows.
class ModelInputReader {
 public:
  /// Labels are read if `with_labels`; otherwise they may be missing. Notes which columns are
  /// labels with the first block. Requires: the arguments, model and session outlive this.
  ModelInputReader(const DataArguments& arguments, const Model& model, bool with_labels,
                   const Session& session, Index block_rows = BlockReader::kRows);

  /// Returns false if there are no more rows.
  bool next(ModelInput& block);
  /// Skips the next block of rows. Returns false if there are none.
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

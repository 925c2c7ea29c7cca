// SPDX-License-Identifier: MIT
#include "commands.h"
#include "core/folder_entries.h"
#include "core/input/input_file.h"
#include "core/staged_files.h"
#include "data_arguments.h"
#include "report/text_table.h"

#include <mugrad/core/error.h>
#include <mugrad/data/splits.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <span>

namespace mugrad::cli {
namespace {

struct SplitArguments {
  DataArguments data;
  SplitOptions options;
  Index folds = 0;
  bool stratified = false;
  std::string folder;
};

std::vector<SplitRows> split_rows(const Dataset& data, const SplitArguments& arguments) {
  const auto seed = arguments.options.seed;
  if (arguments.folds != 0) {
    return arguments.stratified ? stratified_k_fold_rows(data.y, arguments.folds, seed)
                                : k_fold_rows(data.rows(), arguments.folds, seed);
  }
  return {arguments.stratified ? stratified_split_rows(data.y, arguments.options)
                               : random_split_rows(data.rows(), arguments.options)};
}

constexpr std::array<const char*, 2> kParts = {"train", "test"};

std::string ending_of(Format format) { return std::string(info_of(format).endings.front()); }

/// The folder for the parts of a split, relative to the common one.
std::filesystem::path fold_folder(const SplitArguments& arguments, Index fold) {
  return arguments.folds == 0 ? "" : fmt::format("fold-{}", fold + 1);
}

void declare_parts(const std::filesystem::path& folder, Format format, Session& session) {
  for (const auto* name : kParts) {
    declare_writes(folder / (name + ending_of(format)), format, "a part", session);
  }
}

/// The number of a fold, given the name of its folder; 0 for other names.
Index fold_of(const std::string& name) {
  constexpr std::string_view kPrefix = "fold-";
  if (!name.starts_with(kPrefix)) return 0;
  Index fold = 0;
  const char* const end = name.data() + name.size();
  const auto [at, error] = std::from_chars(name.data() + kPrefix.size(), end, fold);
  return error == std::errc{} && at == end ? fold : 0;
}

std::vector<FolderEntry> looked_into(const std::string& folder) {
  try {
    return entries_of(folder);
  } catch (const std::filesystem::filesystem_error& error) {
    throw InputError(fmt::format("cannot read folder {}: {}", folder, error.code().message()));
  }
}

/// Throws UsageError if a part would overwrite an input, or if folds of an older split would remain
/// beside the new ones. Checks only existing folders: there may be any number of folds.
void check_files(const SplitArguments& arguments, Format format, Session& session) {
  if (arguments.folds == 0) return declare_parts(arguments.folder, format, session);
  std::error_code none;
  if (!std::filesystem::is_directory(arguments.folder, none)) return;
  for (const FolderEntry& entry : looked_into(arguments.folder)) {
    const auto path = std::filesystem::path(arguments.folder) / entry.name;
    const Index fold = fold_of(entry.name);
    if (fold > arguments.folds) {
      throw UsageError(
          fmt::format("{} belongs to a split into more folds: remove it, or use another folder",
                      path.string()));
    }
    if (fold > 0) declare_parts(path, format, session);
  }
}

/// Writes the parts of splits to the staging place, until all parts appear.
class PartWriter {
 public:
  PartWriter(const Dataset& data, const std::filesystem::path& path, Format format,
             const ReadOptions& options, StagedFiles& files)
      : data_(data), format_(format), files_(files) {
    if (copies_rows(data, format)) copier_.emplace(path, options, data);
  }

  void write(std::span<const Index> rows, const std::filesystem::path& name) {
    if (copier_) return copier_->copy(rows, files_.add(name));
    // Labels first: once the rows are there, the part is complete.
    const auto names = files_of_dataset(name, format_);
    for (auto file = names.rbegin(); file != std::prev(names.rend()); ++file) files_.add(*file);
    write_dataset(select_rows(data_, rows), files_.add(name), format_);
  }

 private:
  const Dataset& data_;
  Format format_;
  StagedFiles& files_;
  std::optional<RowCopier> copier_;
};

std::string repeated_text(std::size_t repeated, const std::vector<SplitRows>& splits) {
  if (splits.size() > 1) {
    return fmt::format(
        "up to {} test rows of a fold equal a training row in all features, so that scores may be "
        "too high",
        repeated);
  }
  const auto rows = splits.front().test.size();
  return fmt::format(
      "{} of {} test rows ({:.0f} %) equal a training row in all features, so that scores may be "
      "too high",
      repeated, rows, 100 * static_cast<double>(repeated) / static_cast<double>(rows));
}

/// Says what the parts of a table have instead of its columns.
void note_encoded(const Dataset& data, Format format, const Session& session) {
  if (!data.encoding.is_empty()) {
    session.note(
        "the parts have the features that the columns became, and terms, categories and medians "
        "are those of all rows");
  }
  if (!info_of(format).declares_labels && data.labels() > 0) {
    session.note(fmt::format("the labels are the last columns of the parts: --label-count -{}",
                             data.labels()));
  }
}

void run_split(const SplitArguments& arguments, Session& session) {
  declare_reads(arguments.data, session);
  const KeptInputs twice;
  const Format format = arguments.data.format.empty()
                            ? recognise_format(data_path(arguments.data.data))
                            : format_named(arguments.data.format);
  check_files(arguments, format, session);
  const Dataset data = read_data(arguments.data, session);
  const auto splits = split_rows(data, arguments);
  StagedFiles files(arguments.folder, FolderUse::for_set);
  const ReadOptions options = read_options(arguments.data, session);
  PartWriter writer(data, data_path(arguments.data.data), format, options, files);

  Json parts = Json::array();
  std::size_t most_repeated = 0;  // of a test part
  TextTable table(
      {"folder", "train", "test", "label deviation", "labels not in train", "labels not in test"});
  for (std::size_t k = 0; k < splits.size(); ++k) {
    const auto& rows = splits[k];
    const auto below = fold_folder(arguments, as_index(k));
    const auto folder = below.empty() ? std::filesystem::path(arguments.folder)
                                      : std::filesystem::path(arguments.folder) / below;
    writer.write(rows.train, below / (kParts[0] + ending_of(format)));
    writer.write(rows.test, below / (kParts[1] + ending_of(format)));
    const auto repeated = as_size(repeated_rows(take(data, rows)));
    const SplitQuality quality = split_quality(data.y, rows);
    parts.push_back({{"folder", folder.string()},
                     {"train", rows.train.size()},
                     {"test", rows.test.size()},
                     {"label_deviation", quality.label_deviation},
                     {"labels_missing_in_train", quality.labels_missing_in_train},
                     {"labels_missing_in_test", quality.labels_missing_in_test},
                     {"test_rows_in_train", repeated}});
    most_repeated = std::max(most_repeated, repeated);
    table.add({folder.string(), fmt::format("{}", rows.train.size()),
               fmt::format("{}", rows.test.size()), fmt::format("{:.4f}", quality.label_deviation),
               fmt::format("{}", quality.labels_missing_in_train),
               fmt::format("{}", quality.labels_missing_in_test)});
  }
  files.commit();
  if (!copies_rows(data, format)) note_encoded(data, format, session);
  if (most_repeated > 0) session.note(repeated_text(most_repeated, splits));
  if (session.json) {
    session.print_json(Json{{"seed", arguments.options.seed},
                            {"stratified", arguments.stratified},
                            {"labels", data.labels()},
                            {"labels_from", data.labels_from},
                            {"splits", parts}});
  } else {
    session.print(table.text());
  }
}

}  // namespace

void add_split(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<SplitArguments>();
  CLI::App* command =
      app.add_subcommand("split", "Split a data file into train and test, or into folds");
  arguments->data.keeps_missing = true;
  add_data_arguments(*command, arguments->data);
  add_value(*command, "-o,--output", arguments->folder, "DIR",
            "Folder for the train and test files, in the input's format, with label files; they "
            "appear together")
      ->required();
  auto* train =
      add_default(*command, "--train", arguments->options.train, "Share of training examples");
  add_value(*command, "--folds", arguments->folds, "K",
            "Write K folds instead, in fold-1 ... fold-K")
      ->check(CLI::Range(Index{2}, Index{1} << 40))
      ->excludes(train);
  command->add_flag("--stratified", arguments->stratified,
                    "Keep every label's share equal in all parts");
  add_default(*command, "--seed", arguments->options.seed,
              "Random seed; the same split on every machine")
      ->check(CLI::NonNegativeNumber);
  add_session_options(*command, session);
  add_examples(*command,
               "  mugrad split emotions.arff -o parts\n"
               "  mugrad split emotions.arff -o folds --folds 5 --stratified --seed 7");
  command->callback([arguments, &session] { run_split(*arguments, session); });
}

}  // namespace mugrad::cli

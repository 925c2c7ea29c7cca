// SPDX-License-Identifier: MIT
#include "commands.h"
#include "data_arguments.h"

#include <mugrad/core/error.h>
#include <mugrad/data/splits.h>
#include <mugrad/report/text_table.h>

#include <fmt/format.h>

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

std::string ending_of(Format format) { return "." + std::string(to_string(format)); }

void run_split(const SplitArguments& arguments, Session& session) {
  const Dataset data = read_data(arguments.data, session);
  const Format format = arguments.data.format.empty()
                            ? recognise_format(data_path(arguments.data.data))
                            : format_named(arguments.data.format);
  const auto splits = split_rows(data, arguments);

  Json parts = Json::array();
  TextTable table(
      {"folder", "train", "test", "label deviation", "labels not in train", "labels not in test"});
  for (std::size_t k = 0; k < splits.size(); ++k) {
    const auto& rows = splits[k];
    std::filesystem::path folder = arguments.folder;
    if (arguments.folds != 0) folder /= fmt::format("fold-{}", k + 1);
    std::error_code failure;
    std::filesystem::create_directories(folder, failure);
    if (failure) {
      throw InputError(
          fmt::format("cannot make the folder {}: {}", folder.string(), failure.message()));
    }
    const Split split = take(data, rows);
    for (const auto& [part, name] : {std::pair(&split.train, "train"), {&split.test, "test"}}) {
      const auto target = folder / (name + ending_of(format));
      refuse_overwriting(arguments.data, target);
      write_dataset(*part, target, format);
    }
    const SplitQuality quality = split_quality(data.y, rows);
    parts.push_back({{"folder", folder.string()},
                     {"train", rows.train.size()},
                     {"test", rows.test.size()},
                     {"label_deviation", quality.label_deviation},
                     {"labels_missing_in_train", quality.labels_missing_in_train},
                     {"labels_missing_in_test", quality.labels_missing_in_test}});
    table.add({folder.string(), fmt::format("{}", rows.train.size()),
               fmt::format("{}", rows.test.size()), fmt::format("{:.4f}", quality.label_deviation),
               fmt::format("{}", quality.labels_missing_in_train),
               fmt::format("{}", quality.labels_missing_in_test)});
  }
  if (session.json) {
    session.print_json(Json{
        {"seed", arguments.options.seed}, {"stratified", arguments.stratified}, {"splits", parts}});
  } else {
    session.print(table.text());
  }
}

}  // namespace

void add_split(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<SplitArguments>();
  CLI::App* command =
      app.add_subcommand("split", "Split a data file into train and test, or into folds");
  add_data_arguments(*command, arguments->data);
  command
      ->add_option("-o,--output", arguments->folder,
                   "Folder for train and test, in the format that came in, with label files")
      ->required()
      ->type_name("DIR");
  auto* train = command->add_option("--train", arguments->options.train, "Share to train on")
                    ->capture_default_str();
  command->add_option("--folds", arguments->folds, "Make K folds instead, in fold-1 ... fold-K")
      ->type_name("K")
      ->check(CLI::Range(Index{2}, Index{1} << 40))
      ->excludes(train);
  command->add_flag("--stratified", arguments->stratified,
                    "Keep every label's share alike in all parts");
  command->add_option("--seed", arguments->options.seed, "Seed; the same split on every machine")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  add_session_options(*command, session);
  add_examples(*command,
               "  mugrad split emotions.arff -o parts\n"
               "  mugrad split emotions.arff -o folds --folds 5 --stratified --seed 7");
  command->callback([arguments, &session] { run_split(*arguments, session); });
}

}  // namespace mugrad::cli

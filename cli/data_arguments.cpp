// SPDX-License-Identifier: MIT
#include "data_arguments.h"

#include "choices.h"
#include "column_summary.h"
#include "core/file_identity.h"
#include "core/input/input_file.h"
#include "core/input/input_name.h"
#include "core/printable.h"

#include <mugrad/core/error.h>
#include <mugrad/core/memory.h>
#include <mugrad/data/catalog.h>
#include <mugrad/data/dataset.h>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace mugrad::cli {

namespace {

Missing missing_of(const DataArguments& arguments) {
  if (!arguments.impute.empty()) return missing_named(arguments.impute);
  return arguments.keeps_missing ? Missing::keep : ReadOptions{}.missing;
}

/// What --impute takes: to keep missing values is no way to fill them in.
std::vector<std::string_view> imputations() {
  return {to_string(Missing::median), to_string(Missing::mean), to_string(Missing::refuse)};
}

/// One character by itself or by name; empty for JSON arrays.
std::string separator_named(const std::string& name) {
  if (name == "json") return "";
  if (name == "space") return " ";
  if (name == "tab" || name == "\\t") return "\t";
  if (name.size() == 1) return name;
  throw UsageError(fmt::format(
      "--tag-separator must be one ASCII character, space, tab or json, got '{}'", name));
}

ReadOptions silent_options(const DataArguments& arguments) {
  ReadOptions options{.labels_xml = arguments.labels_xml,
                      .label_columns = arguments.label_columns,
                      .label_count = arguments.label_count,
                      .drop = arguments.drop,
                      .keep_ids = arguments.keep_ids,
                      .tags = arguments.tags,
                      .min_count = arguments.min_count.value_or(1),
                      .text = arguments.text,
                      .missing = missing_of(arguments)};
  if (!arguments.tag_separator.empty()) {
    options.tag_separator = separator_named(arguments.tag_separator);
  }
  const auto choose = [&](const std::vector<std::string>& columns, ColumnRole role) {
    for (const auto& column : columns) options.roles.push_back({column, role});
  };
  choose(arguments.numbers, ColumnRole::number);
  choose(arguments.categories, ColumnRole::category);
  choose(arguments.texts, ColumnRole::text);
  choose(arguments.dates, ColumnRole::date);
  choose(arguments.ids, ColumnRole::identifier);
  if (!arguments.format.empty()) options.format = format_named(arguments.format);
  if (!arguments.delimiter.empty()) options.delimiter = delimiter_named(arguments.delimiter);
  return options;
}

}  // namespace

ReadOptions read_options(const DataArguments& arguments, const Session& session) {
  ReadOptions options = silent_options(arguments);
  options.note = session.note_function();
  options.threads = session.threads;
  return options;
}

ReadOptions read_options_for(const DataArguments& arguments, const Model& model,
                             const Session& session) {
  ReadOptions options = read_options(arguments, session);
  options.encode_like = model.contents().feature_names;
  options.encoding = model.contents().encoding;
  if (options.missing == Missing::mean) options.missing = Missing::keep;
  return options;
}

namespace {

ReadOptions options_for_model(const DataArguments& arguments, const Model& model, bool with_labels,
                              const Session& session) {
  ReadOptions options = read_options_for(arguments, model, session);
  options.labels_optional = !with_labels;
  options.keep_row_names = true;
  options.as_they_come = !with_labels;
  const auto& columns = options.encoding.columns;
  const bool has_tags = std::ranges::count(columns, ColumnRole::tags, &EncodedColumn::role) > 0;
  if (with_labels || has_tags) options.fallback_labels = model.contents().label_names;
  return options;
}

}  // namespace

std::string format_list(std::string_view FormatInfo::*text, std::string_view last) {
  std::vector<std::string_view> texts;
  for (const FormatInfo& format : file_formats()) texts.push_back(format.*text);
  return in_words(texts, last);
}

std::string format_endings() {
  std::vector<std::string_view> endings;
  for (const FormatInfo& format : file_formats()) {
    endings.insert(endings.end(), format.endings.begin(), format.endings.end());
  }
  return fmt::format("{}", fmt::join(endings, " "));
}

void add_data_arguments(CLI::App& command, DataArguments& arguments) {
  add_value(command, "data", arguments.data, "DATA",
            fmt::format("Data file ({}; also compressed by gzip or zstd), - for standard input, or "
                        "the name of a fetched data set",
                        format_list(&FormatInfo::title)))
      ->required();
  add_reading_options(command, arguments);
}

namespace {

void add_text_options(CLI::App& command, TextOptions& text) {
  command.option_defaults()->group("Reading texts");
  const TextOptions usual;
  const auto with_default = [](std::string_view help, const auto& value) {
    return fmt::format("{} [default: {}]", help, value);
  };
  const auto or_none = [](Index length) { return length == 0 ? "none" : std::to_string(length); };
  add_value(command, "--min-words", text.min_words, "N",
            with_default("Shortest n-gram of words", usual.min_words));
  add_value(command, "--max-words", text.max_words, "N",
            with_default("Longest n-gram of words; 0: none", usual.max_words));
  add_value(
      command, "--min-characters", text.min_characters, "N",
      with_default("Shortest n-gram of characters within words", or_none(usual.min_characters)));
  add_value(
      command, "--max-characters", text.max_characters, "N",
      with_default("Longest n-gram of characters within words", or_none(usual.max_characters)));
  add_value(command, "--min-documents", text.min_documents, "N",
            with_default("Leave out terms in fewer texts", usual.min_documents));
  add_value(command, "--max-document-share", text.max_document_share, "SHARE",
            with_default("Leave out terms in more than this share of the texts",
                         usual.max_document_share));
  add_value(command, "--max-terms", text.max_terms, "N",
            with_default("Keep the terms that are in the most texts", usual.max_terms));
  add_value(command, "--hash-bits", text.hash_bits, "BITS",
            "Hash terms to 2^BITS features instead of learning a vocabulary");
  command.add_flag("!--plain-counts", text.sublinear,
                   "A term that occurs c times counts c, not 1 + ln c");
}

}  // namespace

void add_reading_options(CLI::App& command, DataArguments& arguments) {
  command.option_defaults()->group("Reading data");
  add_value(command, "--labels", arguments.labels_xml, "FILE",
            "ARFF: XML file that names the labels");
  add_list(command, "--label-columns", arguments.label_columns, "NAMES",
           "Formats with names: names of the label columns; 'topic*' matches all with that prefix");
  add_value(
      command, "--label-count", arguments.label_count, "N",
      "Formats with names: the first N columns are labels, or the last for -N; LIBSVM: N labels");
  add_value(command, "--tags", arguments.tags, "NAME",
            "Formats with names: the column that lists the labels of each row");
  add_value(command, "--tag-separator", arguments.tag_separator, "C",
            "Between two tags: a character, space, tab or json [default: recognised]");
  add_value(command, "--min-count", arguments.min_count, "N",
            "Leave out tags in fewer than N rows [default: 1]")
      ->check(CLI::Range(Index{1}, Index{1} << 40));
  add_list(command, "--ignore,--drop", arguments.drop, "NAMES", "Names of columns to leave out");
  add_list(command, "--text", arguments.texts, "NAMES",
           "Columns of words, whatever they look like");
  add_list(command, "--category", arguments.categories, "NAMES", "Columns of categories");
  add_list(command, "--number", arguments.numbers, "NAMES",
           "Columns of numbers; other cells count as missing");
  add_list(command, "--date", arguments.dates, "NAMES", "Columns of dates, as 2026-11-18 22:45");
  add_list(command, "--id", arguments.ids, "NAMES", "Columns that name the rows");
  command.add_flag("--keep-ids", arguments.keep_ids,
                   "Keep text columns with a different value in every row, as categories");
  add_value(
      command, "--impute", arguments.impute, "HOW",
      fmt::format("Missing feature values: {} [default: {}]", in_words(imputations(), "or"),
                  arguments.keeps_missing ? "they stay missing" : to_string(ReadOptions{}.missing)))
      ->check(CLI::IsMember(imputations()));
  command
      .add_option_function<std::string>(
          "--memory", [](const std::string& text) { set_memory_limit(memory_limit_named(text)); },
          "Refuse work that would need more memory: 8GB, 50%, unlimited [default: available "
          "memory]")
      ->type_name("AMOUNT");
  suggest(add_value(command, "--format", arguments.format, "NAME",
                    format_list(&FormatInfo::name) + " [default: detected from the content]"),
          format_choices());
  add_value(command, "--delimiter", arguments.delimiter, "CHAR",
            "CSV: what separates cells: , ; | or tab [default: detected from the content]");
  add_text_options(command, arguments.text);
  command.option_defaults()->group("Options");
}

std::string set_name(const std::string& data) { return data_name(data); }

std::filesystem::path data_path(const std::string& name) {
  if (is_standard_input(name) || std::filesystem::exists(name)) return name;
  const CatalogEntry* entry = find_in_catalog(name);
  if (entry == nullptr) return name;
  if (const auto local = find_local(*entry)) return *local;
  throw InputError(fmt::format(
      "{} is a public data set that is not on this machine yet: mugrad fetch {}", name, name));
}

void declare_reads(const DataArguments& arguments, Session& session) {
  const auto data = data_path(arguments.data);
  for (const std::filesystem::path& path : {data, std::filesystem::path(arguments.labels_xml)}) {
    if (session.ranks.size() == 1 || path.empty() || !stream_identity_of(path)) continue;
    throw UsageError(fmt::format(
        "{} cannot be read under mpirun, because every rank reads the data: write it to a file",
        input_name(path)));
  }
  session.files.reads_input(data, "the data");
  session.files.reads_input(arguments.labels_xml, "--labels");
  // Whether it is read depends on the format, which the content decides.
  if (const auto labels = find_label_file(data)) session.files.reads(*labels, "the label file");
}

void declare_writes(const std::filesystem::path& path, std::optional<Format> format,
                    std::string_view as, Session& session) {
  const auto files = files_of_dataset(path, format);
  session.files.writes(files[0], as);
  if (files.size() > 1) session.files.writes(files[1], fmt::format("the label file of {}", as));
}

namespace {

bool has_only_numbers_and_categories(const TableSummary& summary) {
  return std::ranges::all_of(summary.columns, [](const ColumnSummary& column) {
    return column.role == ColumnRole::number || column.role == ColumnRole::category;
  });
}

/// A few bytes of LIBSVM can name a label whose number exceeds any array.
void require_memory_for_labels(const Dataset& data) {
  const bool has_gaps = data.label_names.empty() && data.labels() > data.y.ones();
  if (!has_gaps) return;
  constexpr double kPerLabel = 40;
  require_memory({"numbers of each label", kPerLabel * static_cast<double>(data.labels())},
                 fmt::format("working on the {} labels of {}", data.labels(), data.name),
                 "labels numbered from 0 without gaps");
}

}  // namespace

Dataset read_data(const DataArguments& arguments, const Session& session, Labels labels,
                  std::function<void(const TableSummary&)> summary) {
  ReadOptions options = read_options(arguments, session);
  options.labels_optional = labels == Labels::optional;
  options.summary = std::move(summary);
  if (!options.summary) {
    options.summary = [&](const TableSummary& found) {
      if (has_only_numbers_and_categories(found)) return;
      session.note(fmt::format("columns of {}:{}", input_name(arguments.data), roles_text(found)));
    };
  }
  Dataset data = read_dataset(data_path(arguments.data), options);
  require_memory_for_labels(data);
  tell_labels(arguments, data, session);
  return data;
}

Dataset read_data_again(const DataArguments& arguments) {
  return read_dataset(data_path(arguments.data), silent_options(arguments));
}

Dataset read_data_with_gaps(const DataArguments& arguments) {
  ReadOptions options = silent_options(arguments);
  options.labels_optional = true;
  options.missing = Missing::keep;
  return read_dataset(data_path(arguments.data), options);
}

void tell_labels(const DataArguments& arguments, const Dataset& data, const Session& session) {
  if (data.labels() == 0) return;
  session.note(fmt::format("{}: {} label{}, from {}", input_name(arguments.data), data.labels(),
                           data.labels() == 1 ? "" : "s", data.labels_from));
}

Dataset read_data_to_train(const DataArguments& arguments, const Session& session,
                           const Method& method, const OptionValues& values) {
  const KeptInputs twice;
  const auto path = data_path(arguments.data);
  if (const auto shape = promised_shape(path, read_options(arguments, session))) {
    require_memory(
        method.memory(*shape, values, session.threads),
        fmt::format("training {} on {} ({} examples, {} features, {} labels)", method.name(),
                    input_name(path), shape->rows, shape->features, shape->labels),
        "fewer features or labels");
  }
  return read_data(arguments, session);
}

ModelInputReader::ModelInputReader(const DataArguments& arguments, const Model& model,
                                   bool with_labels, const Session& session, Index block_rows)
    : model_(model),
      arguments_(arguments),
      session_(session),
      with_labels_(with_labels),
      imputes_(arguments.impute != "refuse"),
      path_(data_path(arguments.data)),
      note_(session.note_function()),
      features_{model.features(), model.contents().feature_names},
      labels_{model.labels(), model.contents().label_names},
      reader_(path_, options_for_model(arguments, model, with_labels, session), block_rows) {}

bool ModelInputReader::next(ModelInput& block) {
  Dataset data;
  if (!reader_.next(data)) return false;
  const bool beyond =
      data.features() > model_.features() || (with_labels_ && data.labels() > model_.labels());
  if (data.widths_inferred && beyond) {
    // This is an error; reading on gives the widths of the whole file.
    while (reader_.next(data)) continue;
  }
  if (std::exchange(is_first_, false)) {
    tell_labels(arguments_, data, session_);
    labels_from_ = data.labels_from;
  }
  data.name = input_name(path_);  // for messages
  block.row_names = std::move(data.row_names);
  const auto note = std::exchange(note_, {});
  if (with_labels_) {
    block.x = align_features(data, features_, note);
    block.labels = align_labels(data, labels_);
  } else {
    block.x = align_features(std::move(data), features_, note);
  }
  // Values that the encoding does not fill in are replaced by the means of the training data.
  if (imputes_) fill_missing(block.x, model_.contents().representation.mean);
  return true;
}

}  // namespace mugrad::cli

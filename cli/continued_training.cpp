// SPDX-License-Identifier: MIT
#include "continued_training.h"

#include "core/printable.h"

#include <mugrad/core/error.h>
#include <mugrad/method/method.h>

#include <fmt/format.h>

#include <algorithm>

namespace mugrad::cli {
namespace {

/// The model has its own; see TextOptions.
constexpr const char* kTextOptions[] = {
    "--min-words",      "--max-words",     "--min-characters",
    "--max-characters", "--min-documents", "--max-document-share",
    "--max-terms",      "--hash-bits",     "--plain-counts"};

bool can_be_continued(const MethodTraits& traits) { return traits.takes_prior; }

void refuse_text_options(const CLI::App& command) {
  for (const char* const name : kTextOptions) {
    if (command.count(name) == 0) continue;
    throw UsageError(
        fmt::format("{} is decided by the model that --continue names: leave it out", name));
  }
}

void tell_additions(const Model& before, const Model& now, const Session& session) {
  if (const Index terms = now.features() - before.features(); terms > 0) {
    session.note(fmt::format("{} new terms", terms));
  }
  std::vector<std::string> labels;
  for (Index i = before.labels(); i < now.labels(); ++i) {
    labels.push_back(now.label_name(static_cast<LabelId>(i)));
  }
  if (labels.empty()) return;
  session.note(fmt::format("{} new label{}, trained on the new rows alone: {}", labels.size(),
                           labels.size() == 1 ? "" : "s", listing(labels, 12)));
}

/// Tags are those of the model's column. New ones are labels, too.
void take_tags(const DataArguments& arguments, const Model& model, ReadOptions& options) {
  const auto& columns = model.contents().encoding.columns;
  const auto tags = std::ranges::find(columns, ColumnRole::tags, &EncodedColumn::role);
  const bool has_tags = tags != columns.end();
  if (!arguments.tags.empty() && (!has_tags || tags->name != arguments.tags)) {
    throw UsageError(
        fmt::format("--tags {} contradicts the model that --continue names, whose labels are {}",
                    printable(arguments.tags),
                    has_tags ? fmt::format("the tags of {}", printable(tags->name)) : "columns"));
  }
  // The model knows the column.
  options.tags.clear();
  if (has_tags) {
    options.known_tags = model.contents().label_names;
  } else {
    options.fallback_labels = model.contents().label_names;
  }
}

}  // namespace

void add_continue_options(CLI::App& command, ContinueArguments& arguments) {
  CLI::Option* const model =
      add_value(command, "--continue", arguments.model, "MODEL",
                fmt::format("Train this model further, with the rows of DATA alone ({})",
                            names_of_methods(can_be_continued)));
  command
      .add_flag("--refit", arguments.refit,
                "With --continue: compute means, deviations and frequencies of terms anew")
      ->needs(model);
  command
      .add_flag("--keep-curvature", arguments.keep_curvature,
                "Store in the model how firmly its rows hold its weights, for --continue")
      ->excludes(model);
}

void declare_reads(const ContinueArguments& arguments, Session& session) {
  if (arguments.is_given()) session.files.reads(arguments.model, "--continue");
}

void check_continued(const ContinueArguments& arguments, const MethodArguments& method,
                     const CLI::App& command, std::span<CLI::Option* const> others,
                     const Session& session) {
  if (session.ranks.are_launched()) throw UsageError("--continue cannot be used under mpirun");
  for (const char* const name :
       {"--auto", "--preset", "--methods", "--calibrate", "--no-calibrate"}) {
    if (command.count(name) == 0) continue;
    throw UsageError(fmt::format(
        "{} cannot be used with --continue, which keeps the options, thresholds and calibration of "
        "the model",
        name));
  }
  for (const CLI::Option* const option : others) {
    if (option->count() == 0) continue;
    throw UsageError(
        fmt::format("{} cannot be used with --continue, which keeps the options and "
                    "thresholds of the model",
                    option->get_name()));
  }
  if (command.count("--transfer") > 0) {
    throw UsageError("--transfer cannot be used with --continue, which keeps the relations");
  }
  refuse_text_options(command);
  if (command.count("--method") == 0) return;
  const std::string trained_by = Model::load(arguments.model).contents().report.method;
  if (trained_by == method.method) return;
  throw UsageError(fmt::format("--method {} contradicts {}, which is a model of {}", method.method,
                               arguments.model, printable(trained_by)));
}

void check_keeps_curvature(const ContinueArguments& arguments, const MethodArguments& method,
                           const CLI::App& command, const Session& session) {
  if (!arguments.keep_curvature) return;
  if (session.ranks.are_launched()) {
    throw UsageError("--keep-curvature cannot be used under mpirun");
  }
  const bool is_one = command.count("--methods") == 0;
  if (!is_one || !can_be_continued(method_named(method.method).traits())) {
    throw UsageError(fmt::format("--keep-curvature is for models that can be continued, of {}",
                                 names_of_methods(can_be_continued)));
  }
  const auto values = chosen_values(method, command);
  const auto kind = values.find("representation");
  if (kind == values.end() || representation_named(kind->second) != RepresentationKind::gaussian) {
    return;
  }
  throw UsageError(fmt::format(
      "--keep-curvature is for models that can be continued, and those with --representation {} "
      "cannot",
      to_string(RepresentationKind::gaussian)));
}

Dataset read_data_to_continue(const DataArguments& arguments, const Model& model,
                              const Session& session) {
  ReadOptions options = read_options_for(arguments, model, session);
  options.learn_terms = true;
  // They count for new labels alone, once these are known.
  options.min_count = 1;
  take_tags(arguments, model, options);
  Dataset data = read_dataset(data_path(arguments.data), options);
  tell_labels(arguments, data, session);
  return data;
}

Model continued(const ContinueArguments& arguments, const MethodArguments& method,
                const DataArguments& data_arguments, const Model& model, const Dataset& data,
                const CLI::App& command, const Session& session, Progress& progress) {
  MethodArguments chosen = method;
  chosen.method = model.contents().report.method;
  Model now = continue_training(model, data,
                                {.values = chosen_values(chosen, command),
                                 .refit = arguments.refit,
                                 .min_count = data_arguments.min_count.value_or(1),
                                 .threads = session.threads,
                                 .note = session.note_function()},
                                &progress);
  tell_additions(model, now, session);
  return now;
}

Model with_kept_curvature(const ContinueArguments& arguments, const Model& model,
                          const Dataset& data, const Session& session, Progress& progress) {
  if (!arguments.keep_curvature) return model;
  const auto kind = model.contents().representation.kind;
  if (kind != RepresentationKind::gaussian) {
    ProgressFunction at_the_end([&](double) { return progress.update(1); });
    return with_curvature(model, data, session.threads, &at_the_end);
  }
  session.warn(
      fmt::format("the model cannot be continued, and has no curvature: its representation is {}",
                  to_string(kind)));
  return model;
}

}  // namespace mugrad::cli

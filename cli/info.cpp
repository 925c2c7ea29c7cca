// SPDX-License-Identifier: MIT
#include "column_summary.h"
#include "commands.h"
#include "core/input/input_file.h"
#include "core/input/input_name.h"
#include "core/printable.h"
#include "data_arguments.h"
#include "model_card.h"
#include "report/text_table.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace mugrad::cli {
namespace {

struct InfoArguments {
  DataArguments data;  ///< or a model
  std::string relations;
};

struct DataFacts {
  Index rows_without_labels = 0;
  Index zero_rows = 0;
  Index labels_without_positives = 0;
  Index missing = 0;  ///< values, where they were not filled in
  double feature_density = 0;
};

DataFacts facts_of(const Dataset& data) {
  DataFacts facts;
  for (Index row = 0; row < data.rows(); ++row) {
    if (data.y.row(row).empty()) ++facts.rows_without_labels;
    bool zero = true;
    data.x.for_each_in_row(row, [&](FeatureId, double value) {
      zero = zero && value == 0;
      if (std::isnan(value)) ++facts.missing;
    });
    if (zero) ++facts.zero_rows;
  }
  const auto counts = column_counts(data.y);
  facts.labels_without_positives = std::ranges::count(counts, 0);
  const auto cells = static_cast<double>(data.rows()) * static_cast<double>(data.features());
  facts.feature_density = cells == 0 ? 0 : static_cast<double>(data.x.nonzeros()) / cells;
  return facts;
}

Json data_json(const Dataset& data) {
  const DataFacts facts = facts_of(data);
  Json labels = Json::array();
  const auto counts = column_counts(data.y);
  for (Index i = 0; i < data.labels(); ++i) {
    labels.push_back(
        {{"name", name_or_number(data.label_names, i)}, {"positives", counts[as_size(i)]}});
  }
  return {{"kind", "data"},
          {"name", data.name},
          {"examples", data.rows()},
          {"features", data.features()},
          {"labels", data.labels()},
          {"labels_from", data.labels_from},
          {"cardinality", data.cardinality()},
          {"density", data.density()},
          {"storage", data.x.is_sparse() ? "sparse" : "dense"},
          {"feature_density", facts.feature_density},
          {"examples_without_labels", facts.rows_without_labels},
          {"examples_without_features", facts.zero_rows},
          {"unknown_labels", data.unknown.ones()},
          {"labels_without_positives", facts.labels_without_positives},
          {"label_counts", labels}};
}

std::string data_text(const Dataset& data) {
  const DataFacts facts = facts_of(data);
  TextTable table({"name", data.name});
  table.add({"examples", fmt::format("{}", data.rows())});
  table.add({"features",
             fmt::format("{} ({}, {:.1f} % not zero)", data.features(),
                         data.x.is_sparse() ? "sparse" : "dense", 100 * facts.feature_density)});
  table.add({"labels", data.labels() == 0
                           ? "0"
                           : fmt::format("{}, from {}", data.labels(), data.labels_from)});
  table.add({"cardinality", fmt::format("{:.3f} labels per example", data.cardinality())});
  table.add({"density", fmt::format("{:.4f}", data.density())});
  table.add({"examples without labels", fmt::format("{}", facts.rows_without_labels)});
  table.add({"examples without features", fmt::format("{}", facts.zero_rows)});
  if (facts.missing > 0) {
    table.add({"missing values", fmt::format("{} of features", facts.missing)});
  }
  table.add({"unknown labels", fmt::format("{} entries", data.unknown.ones())});
  table.add({"labels without positives", fmt::format("{}", facts.labels_without_positives)});
  std::string text = table.text();

  constexpr std::size_t kMost = 10;
  const auto counts = column_counts(data.y);
  std::vector<std::size_t> order(counts.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t i) { return counts[i]; });
  TextTable labels({"most frequent labels", "positives", "share"});
  for (std::size_t k = 0; k < std::min(order.size(), kMost); ++k) {
    const auto count = static_cast<double>(counts[order[k]]);
    labels.add({name_or_number(data.label_names, as_index(order[k])),
                fmt::format("{}", counts[order[k]]),
                fmt::format("{:.1f} %", 100 * count / static_cast<double>(data.rows()))});
  }
  return order.empty() ? text : text + "\n" + labels.text();
}

/// "tempo = 0.5, loudness = 3 and 70 more"
std::string features_text(const Dataset& data, Index row) {
  constexpr std::size_t kWidest = 80;
  std::string text;
  std::size_t left_out = 0;
  data.x.for_each_in_row(row, [&](FeatureId feature, double value) {
    if (value == 0) return;
    const std::string shown =
        fmt::format("{}{} = {}", text.empty() ? "" : ", ",
                    printable(name_or_number(data.feature_names, feature)),
                    std::isnan(value) ? "missing" : fmt::format("{:g}", value));
    const bool fits = text.empty() || text.size() + shown.size() <= kWidest;
    if (left_out == 0 && fits) {
      text += shown;
    } else {
      ++left_out;
    }
  });
  if (left_out > 0) text += fmt::format(" and {} more", left_out);
  return text.empty() ? "all features are 0" : text;
}

/// Of files whose columns are not described.
std::string first_rows_text(const Dataset& data) {
  constexpr Index kShown = 3;
  constexpr std::size_t kMostLabels = 6;
  std::string text = "\nfirst rows, without zeros\n";
  for (Index row = 0; row < std::min(kShown, data.rows()); ++row) {
    std::vector<std::string> labels;
    for (const LabelId label : data.y.row(row)) {
      labels.push_back(name_or_number(data.label_names, label));
    }
    text += fmt::format("  {}  labels: {}\n     {}\n", row + 1,
                        labels.empty() ? "none" : listing(labels, kMostLabels),
                        features_text(data, row));
  }
  return text;
}

/// Of a table with a line of names only.
void tell_empty(const TableSummary& columns, const Session& session) {
  session.note("the file has no examples, only names of columns");
  if (session.json) {
    return session.print_json(
        {{"kind", "data"}, {"examples", 0}, {"columns", columns_json(columns)}});
  }
  session.print(columns_text(columns));
}

void tell_data(const DataArguments& arguments, const Session& session) {
  std::optional<TableSummary> columns;
  Dataset data;
  try {
    data = read_data(arguments, session, Labels::optional,
                     [&](const TableSummary& summary) { columns = summary; });
  } catch (const InputError&) {
    if (!columns || columns->rows > 0) throw;
    return tell_empty(*columns, session);  // other commands need rows
  }
  // Where columns are not described, missing values are shown among the others.
  const bool fills_in = !columns && !data.encoding.is_empty();
  if (fills_in) data = read_data_with_gaps(arguments);
  if (data.labels() == 0) {
    session.note(data.feature_names.empty()
                     ? "no labels: no row has one"
                     : "no labels: select them with --tags NAME, --label-columns NAMES or "
                       "--label-count N");
  }
  if (session.json) {
    Json json = data_json(data);
    if (columns) json["columns"] = columns_json(*columns);
    return session.print_json(json);
  }
  session.print(data_text(data) +
                (columns ? "\n" + columns_text(*columns) : first_rows_text(data)));
}

void tell_model(const Model& model, const std::string& relations, const Session& session) {
  session.json ? session.print_json(card_json(model)) : session.print(card_text(model));
  if (relations.empty()) return;
  write_relations(model, relations);
  session.note(fmt::format("wrote all relations to {}", relations));
}

/// The model in a pipe that is kept, if there is one.
std::optional<Model> model_in_pipe(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(path, ignored)) return std::nullopt;
  try {
    const InputFile input(path);
    return input.file().while_whole(
        [&] { return Model::from_bytes(input.file().bytes(), input.name()); });
  } catch (const InputError&) {
    return std::nullopt;
  }
}

void run_info(const InfoArguments& arguments, Session& session) {
  declare_reads(arguments.data, session);
  session.files.writes(arguments.relations, "--relations");
  const auto path = data_path(arguments.data.data);
  if (!is_standard_input(path) && looks_like_model(path)) {
    if (!arguments.relations.empty()) check_relations_path(arguments.relations);
    return tell_model(Model::load(path), arguments.relations, session);
  }
  if (!arguments.relations.empty()) {
    throw UsageError(fmt::format("--relations is for models, and {} is not one", input_name(path)));
  }
  const KeptInputs twice;
  try {
    tell_data(arguments.data, session);
  } catch (const InputError&) {
    // Only bytes that are no data are looked at again.
    const auto model = model_in_pipe(path);
    if (!model) throw;
    tell_model(*model, {}, session);
  }
}

}  // namespace

void add_info(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<InfoArguments>();
  CLI::App* command = app.add_subcommand("info", "Look at a data file or a model");
  add_data_arguments(*command, arguments->data);
  command->get_option("data")
      ->description("Data file or model file, - for standard input")
      ->type_name("FILE");
  add_value(*command, "--relations", arguments->relations, "FILE",
            "Model: write all label relations to a .dot or .csv file");
  add_session_options(*command, session);
  add_examples(*command,
               "  mugrad info emotions.arff\n"
               "  mugrad info emotions.mugrad --relations emotions.dot");
  command->callback([arguments, &session] { run_info(*arguments, session); });
}

}  // namespace mugrad::cli

// SPDX-License-Identifier: MIT
#include "commands.h"
#include "core/atomic_file.h"
#include "data/csv_cell.h"
#include "data_arguments.h"
#include "scoring.h"

#include <mugrad/model/scorer.h>

#include <fmt/format.h>

#include <set>

namespace mugrad::cli {
namespace {

struct PredictArguments {
  std::string model;
  DataArguments data;
  std::string output;
  bool scores = false;
  std::optional<Index> top_k;
  std::optional<double> threshold;
};

/// The title of the column that names the rows; empty if the model has none. It differs from all
/// other titles.
std::string name_column(const Model& model) {
  const auto& columns = model.contents().encoding.columns;
  const auto found = std::ranges::find(columns, ColumnRole::identifier, &EncodedColumn::role);
  if (found == columns.end()) return {};
  std::set<std::string> others = {"row", "labels", "scores", "rank", "label", "score"};
  for (LabelId i = 0; i < model.labels(); ++i) others.insert(model.label_name(i));
  std::string title = found->name;
  while (others.contains(title)) title += " (id)";
  return title;
}

/// One row of the data.
struct NumberedRow {
  Index number;           ///< from 0
  std::string_view name;  ///< in the identifier column, if the model has one
};

/// Formats the scores of rows as text. Rows are numbered from 1.
class PredictionWriter {
 public:
  PredictionWriter(const Model& model, LabelChoice choice)
      : model_(model), choice_(std::move(choice)), name_column_(name_column(model)) {}
  virtual ~PredictionWriter() = default;
  virtual std::string begin() const = 0;
  virtual std::string row(const NumberedRow& row, std::span<const double> scores) = 0;
  virtual std::string end() const { return {}; }

 protected:
  /// The first columns of CSV: the number of the row, and its name if rows have names.
  std::string first_titles() const {
    return name_column_.empty() ? "row" : "row," + csv_cell(name_column_);
  }
  std::string first_cells(const NumberedRow& row) const {
    const auto number = std::to_string(row.number + 1);
    return name_column_.empty() ? number : number + "," + csv_cell(row.name);
  }

  const Model& model_;
  LabelChoice choice_;
  std::string name_column_;
};

LabelChoice choice_for(const Model& model, const PredictArguments& arguments) {
  if (arguments.top_k) return LabelChoice::top(*arguments.top_k);
  return LabelChoice::by_threshold(thresholds_for(model, arguments.threshold));
}

void append_escaped(std::string& text, const std::string& name) {
  if (name.empty()) text += "\\0";
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool is_blank = name[i] == ' ' || name[i] == '\t';
    const bool is_at_end = i == 0 || i + 1 == name.size();  // where readers take blanks away
    if (name[i] == ';' || name[i] == '\\' || (is_blank && is_at_end)) text += '\\';
    text += name[i];
  }
}

/// row,labels, or row,NAME,labels if the column NAME names the rows: the names of labels, separated
/// by semicolons; in a name, a backslash is before each semicolon and backslash, and before a blank
/// at an end. An empty name is \0, because an empty cell means no label.
class LabelsAsCsv final : public PredictionWriter {
 public:
  using PredictionWriter::PredictionWriter;
  std::string begin() const override { return first_titles() + ",labels\n"; }
  std::string row(const NumberedRow& row, std::span<const double> scores) override {
    std::string names;
    for (const LabelId label : choice_.choose(scores)) {
      if (!names.empty()) names += ';';
      append_escaped(names, model_.label_name(label));
    }
    return fmt::format("{},{}\n", first_cells(row), csv_cell(names));
  }
};

/// row,rank,label,score.
class TopAsCsv final : public PredictionWriter {
 public:
  using PredictionWriter::PredictionWriter;
  std::string begin() const override { return first_titles() + ",rank,label,score\n"; }
  std::string row(const NumberedRow& row, std::span<const double> scores) override {
    std::string lines;
    Index rank = 0;
    for (const LabelId label : choice_.choose(scores)) {
      lines += fmt::format("{},{},{},{}\n", first_cells(row), ++rank,
                           csv_cell(model_.label_name(label)), scores[as_size(label)]);
    }
    return lines;
  }
};

/// row and one column per label.
class ScoresAsCsv final : public PredictionWriter {
 public:
  using PredictionWriter::PredictionWriter;
  std::string begin() const override {
    std::string header = first_titles();
    for (LabelId i = 0; i < model_.labels(); ++i)
      header += fmt::format(",{}", csv_cell(model_.label_name(i)));
    return header + "\n";
  }
  std::string row(const NumberedRow& row, std::span<const double> scores) override {
    return fmt::format("{},{}\n", first_cells(row), fmt::join(scores, ","));
  }
};

/// One JSON array with one object per row.
class AsJson final : public PredictionWriter {
 public:
  AsJson(const Model& model, LabelChoice choice, bool all_scores)
      : PredictionWriter(model, std::move(choice)), all_scores_(all_scores) {}
  std::string begin() const override { return "["; }
  std::string row(const NumberedRow& row, std::span<const double> scores) override {
    Json object{{"row", row.number + 1}};
    if (!name_column_.empty()) object[name_column_] = row.name;
    if (all_scores_) {
      Json all = Json::object();
      for (LabelId i = 0; i < model_.labels(); ++i) {
        all[model_.label_name(i)] = scores[as_size(i)];
      }
      object["scores"] = all;
    } else {
      Json labels = Json::array();
      for (const LabelId label : choice_.choose(scores)) {
        labels.push_back({{"label", model_.label_name(label)}, {"score", scores[as_size(label)]}});
      }
      object["labels"] = labels;
    }
    return (row.number == 0 ? "\n" : ",\n") + object.dump();
  }
  std::string end() const override { return "\n]\n"; }

 private:
  bool all_scores_;
};

std::unique_ptr<PredictionWriter> writer_for(const Model& model, const PredictArguments& arguments,
                                             bool json) {
  LabelChoice choice = choice_for(model, arguments);
  if (json) return std::make_unique<AsJson>(model, std::move(choice), arguments.scores);
  if (arguments.scores) return std::make_unique<ScoresAsCsv>(model, std::move(choice));
  if (arguments.top_k) return std::make_unique<TopAsCsv>(model, std::move(choice));
  return std::make_unique<LabelsAsCsv>(model, std::move(choice));
}

void run_predict(const PredictArguments& arguments, Session& session) {
  session.files.reads(arguments.model, "the model");
  declare_reads(arguments.data, session);
  session.files.writes(arguments.output, "--output");
  const Model model = Model::load(arguments.model);
  const auto writer = writer_for(model, arguments, session.json);

  std::optional<AtomicFile> file;
  const bool writes = session.ranks.is_first();
  if (writes && !arguments.output.empty()) file.emplace(arguments.output);
  const auto put = [&](std::string_view text) { file ? file->write(text) : session.print(text); };
  const auto tell = [&](const ScoredBlock& block, const ScoredWork::Take& take) {
    // After the first rows were read, because errors of a file often show there.
    if (block.first_row == 0) take(writer->begin());
    for (Index row = 0; row < block.rows(); ++row) {
      const auto& names = block.input.row_names;
      const std::string_view name = names.empty() ? "" : std::string_view(names[as_size(row)]);
      take(writer->row({block.first_row + row, name}, block.scores.row(row)));
    }
  };
  const Index rows = for_each_scored_block(arguments.data, model, false, "predicting", session,
                                           {.tell = tell, .take = put})
                         .rows;
  put(writer->end());
  if (file) {
    file->commit();
    session.note(fmt::format("wrote {} rows to {}", rows, arguments.output));
  }
}

}  // namespace

void add_predict(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<PredictArguments>();
  CLI::App* command = app.add_subcommand("predict", "Predict the labels of new data");
  add_value(*command, "model", arguments->model, "MODEL", "Model file")->required();
  add_data_arguments(*command, arguments->data);
  add_value(*command, "-o,--output", arguments->output, "FILE",
            "File to write [default: standard output]");
  auto* scores = command->add_flag("--scores", arguments->scores,
                                   "Write all scores; mugrad info describes their kind");
  add_value(*command, "--top-k", arguments->top_k, "K", "Write the k best labels with their scores")
      ->check(CLI::Range(Index{1}, Index{1} << 40))
      ->excludes(scores);
  add_value(*command, "--threshold", arguments->threshold, "FLOAT",
            "Predict labels with at least this score [default: the model's]")
      ->excludes(scores);
  add_threads_option(*command, session);
  add_session_options(*command, session);
  add_examples(*command,
               "  mugrad predict emotions.mugrad new.arff\n"
               "  mugrad predict emotions.mugrad new.arff --top-k 3 -o predictions.csv\n"
               "  mugrad predict emotions.mugrad new.arff --scores -o scores.csv");
  command->callback([arguments, &session] { run_predict(*arguments, session); });
}

}  // namespace mugrad::cli

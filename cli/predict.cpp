// SPDX-License-Identifier: MIT
#include "commands.h"
#include "data_arguments.h"
#include "scoring.h"

#include <mugrad/core/atomic_file.h>
#include <mugrad/data/csv_cell.h>
#include <mugrad/model/label_choice.h>

#include <fmt/format.h>

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

/// Turns the scores of one row after another into text. Rows count from 1.
class PredictionWriter {
 public:
  virtual ~PredictionWriter() = default;
  virtual std::string begin() const = 0;
  virtual std::string row(Index row, std::span<const double> scores) = 0;
  virtual std::string end() const { return {}; }
};

LabelChoice choice_for(const Model& model, const PredictArguments& arguments) {
  if (arguments.top_k) return LabelChoice::top(*arguments.top_k);
  return LabelChoice::by_threshold(thresholds_for(model, arguments.threshold));
}

void append_escaped(std::string& text, const std::string& name) {
  if (name.empty()) text += "\\0";
  for (const char c : name) {
    if (c == ';' || c == '\\') text += '\\';
    text += c;
  }
}

/// row,labels: the names, separated by semicolons; in a name, a semicolon is written \; and a
/// backslash \\. A name without characters is \0, since nothing stands for no label.
class LabelsAsCsv final : public PredictionWriter {
 public:
  LabelsAsCsv(const Model& model, LabelChoice choice) : model_(model), choice_(std::move(choice)) {}
  std::string begin() const override { return "row,labels\n"; }
  std::string row(Index row, std::span<const double> scores) override {
    std::string names;
    for (const LabelId label : choice_.choose(scores)) {
      if (!names.empty()) names += ';';
      append_escaped(names, model_.label_name(label));
    }
    return fmt::format("{},{}\n", row + 1, csv_cell(names));
  }

 private:
  const Model& model_;
  LabelChoice choice_;
};

/// row,rank,label,score.
class TopAsCsv final : public PredictionWriter {
 public:
  TopAsCsv(const Model& model, LabelChoice choice) : model_(model), choice_(std::move(choice)) {}
  std::string begin() const override { return "row,rank,label,score\n"; }
  std::string row(Index row, std::span<const double> scores) override {
    std::string lines;
    Index rank = 0;
    for (const LabelId label : choice_.choose(scores)) {
      lines += fmt::format("{},{},{},{}\n", row + 1, ++rank, csv_cell(model_.label_name(label)),
                           scores[static_cast<std::size_t>(label)]);
    }
    return lines;
  }

 private:
  const Model& model_;
  LabelChoice choice_;
};

/// row and a column per label.
class ScoresAsCsv final : public PredictionWriter {
 public:
  explicit ScoresAsCsv(const Model& model) : model_(model) {}
  std::string begin() const override {
    std::string header = "row";
    for (LabelId i = 0; i < model_.labels(); ++i)
      header += fmt::format(",{}", csv_cell(model_.label_name(i)));
    return header + "\n";
  }
  std::string row(Index row, std::span<const double> scores) override {
    return fmt::format("{},{}\n", row + 1, fmt::join(scores, ","));
  }

 private:
  const Model& model_;
};

/// One JSON array with an object per row.
class AsJson final : public PredictionWriter {
 public:
  AsJson(const Model& model, const PredictArguments& arguments)
      : model_(model), choice_(choice_for(model, arguments)), arguments_(arguments) {}
  std::string begin() const override { return "["; }
  std::string row(Index row, std::span<const double> scores) override {
    Json object{{"row", row + 1}};
    if (arguments_.scores) {
      Json all = Json::object();
      for (LabelId i = 0; i < model_.labels(); ++i) {
        all[model_.label_name(i)] = scores[static_cast<std::size_t>(i)];
      }
      object["scores"] = all;
    } else {
      Json labels = Json::array();
      for (const LabelId label : choice_.choose(scores)) {
        labels.push_back({{"label", model_.label_name(label)},
                          {"score", scores[static_cast<std::size_t>(label)]}});
      }
      object["labels"] = labels;
    }
    return (row == 0 ? "\n" : ",\n") + object.dump();
  }
  std::string end() const override { return "\n]\n"; }

 private:
  const Model& model_;
  LabelChoice choice_;
  const PredictArguments& arguments_;
};

std::unique_ptr<PredictionWriter> writer_for(const Model& model, const PredictArguments& arguments,
                                             bool json) {
  if (json) return std::make_unique<AsJson>(model, arguments);
  if (arguments.scores) return std::make_unique<ScoresAsCsv>(model);
  LabelChoice choice = choice_for(model, arguments);
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
    // Not before the first rows were read: what is wrong with a file often shows there.
    if (block.first_row == 0) take(writer->begin());
    for (Index row = 0; row < block.rows(); ++row) {
      take(writer->row(block.first_row + row, block.scores.row(row)));
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
  command->add_option("model", arguments->model, "Model file")->required()->type_name("MODEL");
  add_data_arguments(*command, arguments->data);
  command->add_option("-o,--output", arguments->output, "File to write [default: standard output]")
      ->type_name("FILE");
  auto* scores = command->add_flag("--scores", arguments->scores,
                                   "Write all scores; mugrad info describes their kind");
  command->add_option("--top-k", arguments->top_k, "Write the k best labels with their scores")
      ->type_name("K")
      ->check(CLI::Range(Index{1}, Index{1} << 40))
      ->excludes(scores);
  command
      ->add_option("--threshold", arguments->threshold,
                   "Predict labels with at least this score [default: the model's]")
      ->type_name("FLOAT")
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

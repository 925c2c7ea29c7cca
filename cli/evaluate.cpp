// SPDX-License-Identifier: MIT
#include "choices.h"
#include "commands.h"
#include "data_arguments.h"
#include "evaluation_text.h"
#include "scoring.h"

#include <mugrad/core/memory.h>
#include <mugrad/metric/evaluate.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <span>
#include <string_view>

namespace mugrad::cli {
namespace {

struct EvaluateArguments {
  std::string model;
  DataArguments data;
  std::optional<double> threshold;
  std::string convention = std::string(to_string(EvaluateOptions{}.convention));
  std::vector<Index> at = EvaluateOptions{}.at;
  bool per_label = false;
};

/// The scores and labels of an example, as they are sent from the rank that has them to the one
/// that evaluates.
struct EvaluatedRow {
  std::span<const double> scores;
  std::span<const LabelId> labels, unknown;

  void pack(const ScoredWork::Take& take) const {
    const std::array<Index, 2> counts = {std::ssize(labels), std::ssize(unknown)};
    put(std::span(counts), take);
    put(scores, take);
    put(labels, take);
    put(unknown, take);
  }

 private:
  template <class Numbers>
  static void put(const Numbers& numbers, const ScoredWork::Take& take) {
    take({reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()});
  }
};

/// Calls take_row(row) for each row that was packed.
void for_each_packed(std::string_view packed, Index labels,
                     const std::function<void(const EvaluatedRow&)>& take_row) {
  const auto get = [&](auto numbers) {
    std::memcpy(numbers.data(), packed.data(), numbers.size_bytes());
    packed.remove_prefix(numbers.size_bytes());
  };
  std::vector<double> scores(as_size(labels));
  std::vector<LabelId> has, unknown;
  while (!packed.empty()) {
    std::array<Index, 2> counts{};
    get(std::span(counts));
    has.resize(as_size(counts[0]));
    unknown.resize(as_size(counts[1]));
    get(std::span(scores));
    get(std::span(has));
    get(std::span(unknown));
    take_row({scores, has, unknown});
  }
}

/// The usual number, if it takes at most half of the memory that is left.
Index most_kept_scores() {
  constexpr double kBytesPerScore = 17;
  const double affordable = available_memory().bytes / 2 / kBytesPerScore;
  return static_cast<Index>(std::min(static_cast<double>(kUsualKeptScores), affordable));
}

/// Says which metrics are omitted because there are too many scores.
void note_omitted(const Evaluation& evaluation, const EvaluateOptions& options,
                  const Session& session) {
  std::vector<std::string_view> omitted;
  for (const MeasureInfo& info : measures()) {
    const auto is_it = [&](const MetricValue& value) {
      return value.metric.measure == info.measure;
    };
    if (!info.needs_all_scores || (info.needs_probabilities && !options.are_probabilities) ||
        std::ranges::any_of(evaluation.metrics, is_it)) {
      continue;
    }
    omitted.push_back(info.name);
  }
  if (omitted.empty()) return;
  session.note(
      fmt::format("{} are omitted: they require all scores in memory, and there are more "
                  "than {}",
                  fmt::join(omitted, ", "), options.most_kept_scores));
}

void run_evaluate(const EvaluateArguments& arguments, Session& session) {
  session.files.reads(arguments.model, "the model");
  declare_reads(arguments.data, session);
  EvaluateOptions options{.convention = convention_named(arguments.convention), .at = arguments.at};
  const Model model = Model::load(arguments.model);
  options.thresholds = thresholds_for(model, arguments.threshold);
  options.are_probabilities = score_range(model.contents()).are_probabilities;
  options.most_kept_scores = most_kept_scores();

  Evaluator evaluator(model.labels(), options);
  const auto tell = [&](const ScoredBlock& block, const ScoredWork::Take& take) {
    for (Index row = 0; row < block.rows(); ++row) {
      const EvaluatedRow evaluated{block.scores.row(row), block.input.labels.y.row(row),
                                   block.input.unknown_of(row)};
      if (session.ranks.are_launched()) {
        evaluated.pack(take);
      } else {
        evaluator.add(evaluated.scores, evaluated.labels, evaluated.unknown);
      }
    }
  };
  const auto take = [&](std::string_view packed) {
    for_each_packed(packed, model.labels(), [&](const EvaluatedRow& row) {
      evaluator.add(row.scores, row.labels, row.unknown);
    });
  };
  const auto scored = for_each_scored_block(arguments.data, model, true, "evaluating", session,
                                            {.tell = tell, .take = take, .counts_seen = true});
  if (!session.ranks.is_first()) return;
  const Evaluation evaluation = evaluator.finish();
  note_omitted(evaluation, options, session);
  const auto name = [&](LabelId label) { return model.label_name(label); };
  if (session.json) {
    Json document = evaluation_json(evaluation, arguments.per_label, name);
    document["labels_from"] = scored.labels_from;
    document["trained_on"] = seen_json(scored.seen, model.contents().trained_on);
    session.print_json(document);
  } else {
    session.print(evaluation_text(evaluation, arguments.per_label, name) +
                  seen_text(scored.seen, model.contents().trained_on));
  }
}

}  // namespace

void add_evaluate(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<EvaluateArguments>();
  CLI::App* command = app.add_subcommand("evaluate", "Evaluate a model on data with known labels");
  add_value(*command, "model", arguments->model, "MODEL", "Model file")->required();
  add_data_arguments(*command, arguments->data);
  add_value(*command, "--threshold", arguments->threshold, "FLOAT",
            "Predict labels with at least this score [default: the model's]");
  suggest(add_default(*command, "--convention", arguments->convention,
                      "Convention for ties, empty rows and empty labels: sklearn, mulan or lamda")
              ->type_name("NAME"),
          choices_of({Convention::sklearn, Convention::mulan, Convention::lamda}));
  add_list(*command, "--at", arguments->at, "K", "Values of k for precision@k and ndcg@k")
      ->capture_default_str();
  command->add_flag("--per-label", arguments->per_label,
                    "Also print precision, recall and F1 of every label");
  add_threads_option(*command, session);
  add_session_options(*command, session);
  add_examples(*command,
               "  mugrad evaluate emotions.mugrad test.arff\n"
               "  mugrad evaluate emotions.mugrad test.arff --threshold 0.3 --convention mulan "
               "--json\n\n"
               "Log loss, Brier score and calibration error are printed if the scores of the model "
               "are\nprobabilities.");
  command->callback([arguments, &session] { run_evaluate(*arguments, session); });
}

}  // namespace mugrad::cli

// SPDX-License-Identifier: MIT
#include "commands.h"
#include "data_arguments.h"
#include "evaluation_text.h"
#include "scoring.h"

#include <mugrad/metric/evaluate.h>

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <functional>
#include <span>

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

/// The scores of an example and its labels, as they travel from the rank that has them to the one
/// that judges.
struct JudgedRow {
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

/// Calls judge(row) for each row that was packed.
void for_each_packed(std::string_view packed, Index labels,
                     const std::function<void(const JudgedRow&)>& judge) {
  const auto get = [&](auto numbers) {
    std::memcpy(numbers.data(), packed.data(), numbers.size_bytes());
    packed.remove_prefix(numbers.size_bytes());
  };
  std::vector<double> scores(static_cast<std::size_t>(labels));
  std::vector<LabelId> has, unknown;
  while (!packed.empty()) {
    std::array<Index, 2> counts{};
    get(std::span(counts));
    has.resize(static_cast<std::size_t>(counts[0]));
    unknown.resize(static_cast<std::size_t>(counts[1]));
    get(std::span(scores));
    get(std::span(has));
    get(std::span(unknown));
    judge({scores, has, unknown});
  }
}

void run_evaluate(const EvaluateArguments& arguments, Session& session) {
  session.files.reads(arguments.model, "the model");
  declare_reads(arguments.data, session);
  EvaluateOptions options{.convention = convention_named(arguments.convention), .at = arguments.at};
  const Model model = Model::load(arguments.model);
  options.thresholds = thresholds_for(model, arguments.threshold);

  Evaluator evaluator(model.labels(), options);
  const auto tell = [&](const ScoredBlock& block, const ScoredWork::Take& take) {
    for (Index row = 0; row < block.rows(); ++row) {
      const JudgedRow judged{block.scores.row(row), block.input.labels.y.row(row),
                             block.input.unknown_of(row)};
      if (session.ranks.are_launched()) {
        judged.pack(take);
      } else {
        evaluator.add(judged.scores, judged.labels, judged.unknown);
      }
    }
  };
  const auto take = [&](std::string_view packed) {
    for_each_packed(packed, model.labels(), [&](const JudgedRow& row) {
      evaluator.add(row.scores, row.labels, row.unknown);
    });
  };
  const auto scored = for_each_scored_block(arguments.data, model, true, "evaluating", session,
                                            {.tell = tell, .take = take});
  if (!session.ranks.is_first()) return;
  const Evaluation evaluation = evaluator.finish();
  const auto name = [&](LabelId label) { return model.label_name(label); };
  if (session.json) {
    Json document = evaluation_json(evaluation, arguments.per_label, name);
    document["labels_from"] = scored.labels_from;
    session.print_json(document);
  } else {
    session.print(evaluation_text(evaluation, arguments.per_label, name));
  }
}

}  // namespace

void add_evaluate(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<EvaluateArguments>();
  CLI::App* command = app.add_subcommand("evaluate", "Evaluate a model on data with known labels");
  command->add_option("model", arguments->model, "Model file")->required()->type_name("MODEL");
  add_data_arguments(*command, arguments->data);
  command
      ->add_option("--threshold", arguments->threshold,
                   "Predict labels with at least this score [default: the model's]")
      ->type_name("FLOAT");
  command
      ->add_option("--convention", arguments->convention,
                   "Convention for ties, empty rows and empty labels: sklearn, mulan or lamda")
      ->capture_default_str()
      ->type_name("NAME");
  command->add_option("--at", arguments->at, "Values of k for precision@k and ndcg@k")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str()
      ->type_name("K");
  command->add_flag("--per-label", arguments->per_label,
                    "Also print precision, recall and F1 of every label");
  add_threads_option(*command, session);
  add_session_options(*command, session);
  add_examples(*command,
               "  mugrad evaluate emotions.mugrad test.arff\n"
               "  mugrad evaluate emotions.mugrad test.arff --threshold 0.3 --convention mulan "
               "--json");
  command->callback([arguments, &session] { run_evaluate(*arguments, session); });
}

}  // namespace mugrad::cli

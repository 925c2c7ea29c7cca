// SPDX-License-Identifier: MIT
#include "commands.h"
#include "data_arguments.h"
#include "evaluation_text.h"
#include "scoring.h"

#include <mugrad/metric/evaluate.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

void run_evaluate(const EvaluateArguments& arguments, Session& session) {
  EvaluateOptions options{.convention = convention_named(arguments.convention), .at = arguments.at};
  const Model model = Model::load(arguments.model);
  options.thresholds = thresholds_for(model, arguments.threshold);

  Evaluator evaluator(model.labels(), options);
  for_each_scored_block(arguments.data, model, true, "evaluating", session,
                        [&](const ScoredBlock& block) {
                          for (Index row = 0; row < block.rows(); ++row) {
                            evaluator.add(block.scores.row(row), block.input.labels.y.row(row),
                                          block.input.unknown_of(row));
                          }
                        });
  const Evaluation evaluation = evaluator.finish();
  const auto name = [&](LabelId label) { return model.label_name(label); };
  if (session.json) {
    session.print_json(evaluation_json(evaluation, arguments.per_label, name));
  } else {
    session.print(evaluation_text(evaluation, arguments.per_label, name));
  }
}

}  // namespace

void add_evaluate(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<EvaluateArguments>();
  CLI::App* command =
      app.add_subcommand("evaluate", "Judge a model on data whose labels are known");
  command->add_option("model", arguments->model, "Model file")->required()->type_name("MODEL");
  add_data_arguments(*command, arguments->data);
  command
      ->add_option("--threshold", arguments->threshold,
                   "Predict a label at this score [default: the model's]")
      ->type_name("FLOAT");
  command
      ->add_option("--convention", arguments->convention,
                   "How ties and empty rows and labels count: sklearn, mulan or lamda")
      ->capture_default_str()
      ->type_name("NAME");
  command->add_option("--at", arguments->at, "The k of precision@k and ndcg@k")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str()
      ->type_name("K");
  command->add_flag("--per-label", arguments->per_label,
                    "Precision, recall and F1 of every label too");
  add_threads_option(*command, session);
  add_session_options(*command, session);
  add_examples(*command,
               "  mugrad evaluate emotions.mugrad test.arff\n"
               "  mugrad evaluate emotions.mugrad test.arff --threshold 0.3 --convention mulan "
               "--json");
  command->callback([arguments, &session] { run_evaluate(*arguments, session); });
}

}  // namespace mugrad::cli

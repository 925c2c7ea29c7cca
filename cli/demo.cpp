// SPDX-License-Identifier: MIT
#include "commands.h"
#include "interrupt.h"
#include "model_card.h"
#include "progress.h"
#include "table.h"

#include <mugrad/data/generator.h>
#include <mugrad/data/splits.h>
#include <mugrad/method/mgd.h>
#include <mugrad/metric/evaluate.h>

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace mugrad::cli {
namespace {

/// Few examples for many related labels: where borrowing pays.
constexpr GeneratorOptions kDemoData{.rows = 1000,
                                     .features = 150,
                                     .labels = 24,
                                     .group_size = 4,
                                     .relatedness = 0.95,
                                     .cardinality = 1.5,
                                     .seed = 7};
constexpr double kTrainShare = 0.3;
constexpr double kThreshold = 0.3;

Model trained(const Dataset& data, double sigma, const Session& session) {
  TrainingProgress progress("training", !session.quiet);
  return fit(data, {.sigma = sigma, .threshold = kThreshold, .threads = session.threads},
             &progress);
}

std::string metrics_text(const Evaluation& alone, const Evaluation& together) {
  Table table({"metric", "each label alone", "MGD", "better"});
  for (std::size_t k = 0; k < alone.metrics.size(); ++k) {
    const auto& [name, value, skipped] = alone.metrics[k];
    const double other = together.metrics[k].value;
    const bool mgd_wins = larger_is_better(name) ? other > value : other < value;
    const char* winner = other == value ? "equal" : mgd_wins ? "MGD" : "alone";
    table.add({name, fmt::format("{:.4f}", value), fmt::format("{:.4f}", other), winner});
  }
  return table.text(2);
}

std::string names_of(const Model& model, const std::vector<LabelId>& labels) {
  std::string text;
  for (const LabelId label : labels) text += (text.empty() ? "" : ", ") + model.label_name(label);
  return text.empty() ? "none" : text;
}

std::string predictions_text(const Model& model, const Dataset& test) {
  std::string text;
  int shown = 0;
  for (Index row = 0; row < test.rows() && shown < 3; ++row) {
    const auto truth = test.y.row(row);
    if (truth.empty()) continue;
    const auto scores = model.scores(test.x, row, row + 1);
    std::vector<LabelId> predicted;
    for (LabelId i = 0; i < model.labels(); ++i) {
      if (scores(0, i) >= kThreshold) predicted.push_back(i);
    }
    text += fmt::format("  example {}\n    predicted  {}\n    true       {}\n", row + 1,
                        names_of(model, predicted), names_of(model, {truth.begin(), truth.end()}));
    ++shown;
  }
  return text;
}

std::string relations_text(const Model& model, const GeneratedData& generated) {
  const std::set<std::pair<LabelId, LabelId>> truth(generated.related.begin(),
                                                    generated.related.end());
  Table table({"label", "borrows from", "strength", "truly related"});
  for (const auto& [label, from, strength] : strongest_relations(model, 8)) {
    const bool related = truth.contains({std::min(label, from), std::max(label, from)});
    table.add({model.label_name(label), model.label_name(from), fmt::format("{:.3f}", strength),
               related ? "yes" : "no"});
  }
  return table.text(2);
}

constexpr std::string_view kNext = R"(
What to type next
  mugrad generate -o synthetic.arff --graph truth.csv
  mugrad split synthetic.arff -o parts
  mugrad train parts/train.arff -o synthetic.mugrad
  mugrad evaluate synthetic.mugrad parts/test.arff
  mugrad predict synthetic.mugrad parts/test.arff --top-k 3
  mugrad info synthetic.mugrad
With your own file: mugrad info FILE, then mugrad train FILE (ARFF, LIBSVM, XMC, CSV).
)";

void run_demo(Session& session) {
  const CooperativeInterrupts cooperative;
  const GeneratedData generated = generate(kDemoData);
  const Split split = random_split(generated.data, {.train = kTrainShare, .seed = 1});
  session.print(fmt::format(
      "A generated data set: {} labels in groups of {}, the labels of a group related.\n"
      "{} examples to train on, {} to test on, {} features, {:.2f} labels per example.\n\n",
      generated.data.labels(), kDemoData.group_size, split.train.rows(), split.test.rows(),
      generated.data.features(), generated.data.cardinality()));

  const MgdOptions defaults;
  const Model alone = trained(split.train, 0, session);
  const Model together = trained(split.train, defaults.sigma, session);
  const EvaluateOptions options{.threshold = kThreshold};
  const auto judge = [&](const Model& model) {
    return evaluate(model.scores(split.test.x, session.threads), split.test.y, options);
  };
  session.print(fmt::format(
      "Each label trained alone (sigma 0) and MGD (sigma {}), both with rho {}, threshold {};\n"
      "metric convention {}:\n",
      defaults.sigma, defaults.rho, kThreshold, to_string(options.convention)));
  session.print(metrics_text(judge(alone), judge(together)));
  session.print("\nWhat MGD predicts for three test examples\n");
  session.print(predictions_text(together, split.test));
  session.print("\nThe strongest relations it found\n");
  session.print(relations_text(together, generated));
  session.print(kNext);
}

}  // namespace

void add_demo(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("demo", "See MGD at work on a generated data set, in a few seconds");
  add_threads_option(*command, session);
  add_session_options(*command, session, false);
  add_examples(*command, "  mugrad demo");
  command->callback([&session] { run_demo(session); });
}

}  // namespace mugrad::cli

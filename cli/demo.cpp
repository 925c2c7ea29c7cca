// SPDX-License-Identifier: MIT
#include "commands.h"
#include "evaluation_text.h"
#include "process.h"
#include "progress.h"
#include "report/text_table.h"

#include <mugrad/data/generator.h>
#include <mugrad/data/splits.h>
#include <mugrad/method/mgd.h>
#include <mugrad/metric/evaluate.h>
#include <mugrad/model/model.h>

#include <fmt/format.h>

#include <algorithm>

namespace mugrad::cli {
namespace {

/// Few examples for many related labels, where borrowing helps.
constexpr GeneratorOptions kDemoData{.rows = 1000,
                                     .features = 150,
                                     .labels = 24,
                                     .group_size = 4,
                                     .relatedness = 0.95,
                                     .cardinality = 1.5,
                                     .seed = 7};
constexpr double kTrainShare = 0.3;
constexpr double kThreshold = 0.3;
constexpr std::size_t kRelationsShown = 8;

Model trained(const Dataset& data, double sigma, const Session& session) {
  ShownProgress progress("training", !session.quiet);
  return fit(data, {.sigma = sigma, .threshold = kThreshold, .threads = session.threads},
             &progress);
}

/// The results of the demo, independent of their presentation.
struct DemoResult {
  GeneratedData generated;
  Split split;
  Model together;
  Evaluation alone_quality;
  Evaluation together_quality;
};

DemoResult run(const Session& session) {
  GeneratedData generated = generate(kDemoData);
  Split split = random_split(generated.data, {.train = kTrainShare, .seed = 1});
  const auto quality_of = [&](const Model& model) {
    return evaluate(model.scores(split.test.x, session.threads), split.test.y,
                    {.threshold = kThreshold});
  };
  const Model alone = trained(split.train, 0, session);
  Model together = trained(split.train, MgdOptions{}.sigma, session);
  const Evaluation alone_quality = quality_of(alone);
  const Evaluation together_quality = quality_of(together);
  return {std::move(generated), std::move(split), std::move(together), alone_quality,
          together_quality};
}

std::string metrics_text(const Evaluation& alone, const Evaluation& together) {
  TextTable table({"metric", "each label alone", "MGD", "better", "examples or labels skipped"});
  for (std::size_t k = 0; k < alone.metrics.size(); ++k) {
    const auto& [metric, value, skipped] = alone.metrics[k];
    const double other = together.metrics[k].value;
    const bool mgd_wins = larger_is_better(metric) ? other > value : other < value;
    const char* winner = other == value ? "equal" : mgd_wins ? "MGD" : "alone";
    table.add({metric.name(), fmt::format("{:.4f}", value), fmt::format("{:.4f}", other), winner,
               fmt::format("{}", skipped)});
  }
  return table.text(2);
}

/// An example of the test part, with its predicted and true labels.
struct ShownExample {
  Index row;
  std::vector<std::string> predicted;
  std::vector<std::string> truth;
};

std::vector<ShownExample> shown_examples(const Model& model, const Dataset& test) {
  constexpr std::size_t kShown = 3;
  const BinaryMatrix predicted = model.predict(test.x);
  const auto names = [&](std::span<const LabelId> labels) {
    std::vector<std::string> result;
    for (const LabelId label : labels) result.push_back(model.label_name(label));
    return result;
  };
  std::vector<ShownExample> examples;
  for (Index row = 0; row < test.rows() && examples.size() < kShown; ++row) {
    if (test.y.row(row).empty()) continue;
    examples.push_back({row + 1, names(predicted.row(row)), names(test.y.row(row))});
  }
  return examples;
}

bool truly_related(const GeneratedData& generated, const Relation& relation) {
  const auto pair = std::minmax(relation.label, relation.from);
  return std::ranges::find(generated.related, std::pair<LabelId, LabelId>(pair)) !=
         generated.related.end();
}

std::string relations_text(const DemoResult& result) {
  TextTable table({"label", "borrows from", "strength", "truly related"});
  for (const auto& relation : strongest_relations(result.together, kRelationsShown)) {
    table.add({result.together.label_name(relation.label),
               result.together.label_name(relation.from), fmt::format("{:.3f}", relation.strength),
               truly_related(result.generated, relation) ? "yes" : "no"});
  }
  return table.text(2);
}

constexpr std::string_view kNext = R"(
Next commands to try
  mugrad generate -o synthetic.arff --graph truth.csv
  mugrad split synthetic.arff -o parts
  mugrad train parts/train.arff -o synthetic.mugrad
  mugrad evaluate synthetic.mugrad parts/test.arff
  mugrad predict synthetic.mugrad parts/test.arff --top-k 3
  mugrad info synthetic.mugrad
With your own file: mugrad info FILE, then mugrad train FILE (ARFF with its XML, LIBSVM, XMC;
CSV or JSON lines with --tags NAME or --label-columns NAMES).
)";

void show(const DemoResult& result, const Session& session) {
  const Split& split = result.split;
  const MgdOptions defaults;
  session.print(fmt::format(
      "Generated data set: {} labels in groups of {} related labels.\n"
      "{} training examples, {} test examples, {} features, {:.2f} labels per example.\n\n",
      split.train.labels(), kDemoData.group_size, split.train.rows(), split.test.rows(),
      split.train.features(), result.generated.data.cardinality()));
  session.print(fmt::format(
      "Each label trained alone (sigma 0) and MGD (sigma {}), both with rho {}, threshold {};\n"
      "metrics of the test examples, convention {}:\n",
      defaults.sigma, defaults.rho, kThreshold, to_string(result.alone_quality.convention)));
  session.print(metrics_text(result.alone_quality, result.together_quality));
  session.print("\nPredictions of MGD for three test examples\n");
  for (const auto& [row, predicted, truth] : shown_examples(result.together, split.test)) {
    session.print(
        fmt::format("  example {}\n    predicted  {}\n    true       {}\n", row,
                    predicted.empty() ? "none" : fmt::format("{}", fmt::join(predicted, ", ")),
                    fmt::join(truth, ", ")));
  }
  session.print("\nThe strongest relations found by MGD\n");
  session.print(relations_text(result));
  session.print(kNext);
}

Json as_json(const DemoResult& result) {
  const auto no_names = [](LabelId) { return std::string(); };
  Json examples = Json::array();
  for (const auto& [row, predicted, truth] : shown_examples(result.together, result.split.test)) {
    examples.push_back({{"row", row}, {"predicted", predicted}, {"true", truth}});
  }
  Json relations = Json::array();
  for (const auto& relation : strongest_relations(result.together, kRelationsShown)) {
    relations.push_back({{"label", result.together.label_name(relation.label)},
                         {"borrows_from", result.together.label_name(relation.from)},
                         {"strength", relation.strength},
                         {"truly_related", truly_related(result.generated, relation)}});
  }
  return {{"alone", evaluation_json(result.alone_quality, false, no_names)},
          {"mgd", evaluation_json(result.together_quality, false, no_names)},
          {"examples", examples},
          {"relations", relations}};
}

void run_demo(Session& session) {
  const CooperativeInterrupts cooperative;
  const DemoResult result = run(session);
  session.json ? session.print_json(as_json(result)) : show(result, session);
}

}  // namespace

void add_demo(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("demo", "Demonstrate MGD on a generated data set, in a few seconds");
  add_threads_option(*command, session);
  add_session_options(*command, session);
  add_examples(*command, "  mugrad demo");
  command->callback([&session] { run_demo(session); });
}

}  // namespace mugrad::cli

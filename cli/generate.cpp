// SPDX-License-Identifier: MIT
#include "commands.h"
#include "data_arguments.h"

#include <mugrad/core/atomic_file.h>
#include <mugrad/data/csv_cell.h>
#include <mugrad/data/files.h>
#include <mugrad/data/generator.h>

#include <fmt/format.h>

namespace mugrad::cli {
namespace {

struct GenerateArguments {
  GeneratorOptions options;
  std::string output;
  std::string graph;
};

void write_graph(const GeneratedData& generated, const std::string& path) {
  AtomicFile file(path);
  file.write("label,related_to\n");
  for (const auto& [i, j] : generated.related) {
    file.write(fmt::format("{},{}\n", csv_cell(name_or_number(generated.data.label_names, i)),
                           csv_cell(name_or_number(generated.data.label_names, j))));
  }
  file.commit();
}

void run_generate(const GenerateArguments& arguments, Session& session) {
  declare_writes(arguments.output, std::nullopt, "--output", session);
  session.files.writes(arguments.graph, "--graph");
  const GeneratedData generated = generate(arguments.options);
  const auto files = write_dataset(generated.data, arguments.output);
  if (!arguments.graph.empty()) write_graph(generated, arguments.graph);
  const Dataset& data = generated.data;
  if (session.json) {
    Json names = Json::array();
    for (const auto& file : files) names.push_back(file.string());
    session.print_json(Json{{"files", names},
                            {"examples", data.rows()},
                            {"features", data.features()},
                            {"labels", data.labels()},
                            {"cardinality", data.cardinality()},
                            {"related_pairs", generated.related.size()},
                            {"seed", arguments.options.seed}});
  } else {
    session.print(fmt::format(
        "{}: {} examples, {} features, {} labels, {:.2f} labels per example, {} related pairs\n",
        arguments.output, data.rows(), data.features(), data.labels(), data.cardinality(),
        generated.related.size()));
  }
}

}  // namespace

void add_generate(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<GenerateArguments>();
  GeneratorOptions& options = arguments->options;
  CLI::App* command =
      app.add_subcommand("generate", "Generate a data set with known label relations");
  command
      ->add_option("-o,--output", arguments->output,
                   "File to write, in the format of its extension: .arff .libsvm .xmc .csv")
      ->required()
      ->type_name("FILE");
  command->add_option("--rows", options.rows, "Number of examples")->capture_default_str();
  command->add_option("--features", options.features, "Number of features")->capture_default_str();
  command->add_option("--labels", options.labels, "Number of labels")->capture_default_str();
  command->add_option("--group-size", options.group_size, "Number of related labels in a group")
      ->capture_default_str();
  command
      ->add_option("--relatedness", options.relatedness,
                   "How similar the labels of a group are, 0 to 1")
      ->capture_default_str();
  command
      ->add_option("--cardinality", options.cardinality,
                   "Mean number of labels per example [default: 3, or half of fewer than 6 labels]")
      ->type_name("FLOAT");
  command->add_option("--noise", options.noise, "Standard deviation of the label noise")
      ->capture_default_str();
  command->add_option("--density", options.density, "Share of non-zero values; below 1: sparse")
      ->capture_default_str();
  command->add_option("--seed", options.seed, "Random seed")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command
      ->add_option("--graph", arguments->graph,
                   "Write the true pairs of related labels to this CSV file")
      ->type_name("FILE");
  add_session_options(*command, session);
  add_examples(*command,
               "  mugrad generate -o synthetic.arff --rows 1000 --labels 30 --graph truth.csv\n"
               "  mugrad generate -o large.xmc --rows 100000 --features 10000 --labels 1000 "
               "--density 0.005");
  command->callback([arguments, &session] { run_generate(*arguments, session); });
}

}  // namespace mugrad::cli

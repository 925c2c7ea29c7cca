// SPDX-License-Identifier: MIT
#include "commands.h"
#include "core/atomic_file.h"
#include "data/csv_cell.h"
#include "data_arguments.h"

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
  add_value(*command, "-o,--output", arguments->output, "FILE",
            "File to write, in the format of its extension: " + format_endings())
      ->required();
  add_default(*command, "--rows", options.rows, "Number of examples");
  add_default(*command, "--features", options.features, "Number of features");
  add_default(*command, "--labels", options.labels, "Number of labels");
  add_default(*command, "--group-size", options.group_size, "Number of related labels in a group");
  add_default(*command, "--relatedness", options.relatedness,
              "How similar the labels of a group are, 0 to 1");
  add_value(*command, "--cardinality", options.cardinality, "FLOAT",
            "Mean number of labels per example [default: 3, or half of fewer than 6 labels]");
  add_default(*command, "--noise", options.noise, "Standard deviation of the label noise");
  add_default(*command, "--density", options.density, "Share of non-zero values; below 1: sparse");
  add_default(*command, "--seed", options.seed, "Random seed")->check(CLI::NonNegativeNumber);
  add_value(*command, "--graph", arguments->graph, "FILE",
            "Write the true pairs of related labels to this CSV file");
  add_session_options(*command, session);
  add_examples(*command,
               "  mugrad generate -o synthetic.arff --rows 1000 --labels 30 --graph truth.csv\n"
               "  mugrad generate -o large.xmc --rows 100000 --features 10000 --labels 1000 "
               "--density 0.005");
  command->callback([arguments, &session] { run_generate(*arguments, session); });
}

}  // namespace mugrad::cli

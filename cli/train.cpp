// SPDX-License-Identifier: MIT
#include "commands.h"
#include "data_arguments.h"
#include "interrupt.h"
#include "model_card.h"
#include "progress.h"

#include <mugrad/core/atomic_file.h>
#include <mugrad/core/error.h>
#include <mugrad/method/mgd.h>
#include <mugrad/method/transfer_file.h>

#include <fmt/format.h>

#include <chrono>

namespace mugrad::cli {
namespace {

struct TrainArguments {
  DataArguments data;
  MgdOptions options;
  std::string preset;
  std::string method = "mgd";
  std::string loss, scaling, solver, start, precision;
  std::string transfer;
  std::string model;
  std::string trace;
};

/// Options that the user gave overrule the preset, which overrules the defaults.
MgdOptions chosen_options(const TrainArguments& arguments, const CLI::App& command) {
  const MgdOptions& given = arguments.options;
  MgdOptions chosen = given;
  if (!arguments.preset.empty()) chosen = with_paper_preset(given);
  const auto is_given = [&](const char* name) { return command.count(name) > 0; };
  if (is_given("--alpha")) chosen.alpha = given.alpha;
  if (is_given("--tolerance")) chosen.tolerance = given.tolerance;
  if (is_given("--iterations")) chosen.max_iterations = given.max_iterations;
  if (is_given("--transfer-intercept")) chosen.transfer_intercept = given.transfer_intercept;
  if (is_given("--loss")) chosen.loss = loss_named(arguments.loss);
  if (is_given("--scaling")) chosen.scaling = scaling_named(arguments.scaling);
  if (is_given("--start")) chosen.start = start_named(arguments.start);
  if (is_given("--precision")) chosen.precision = precision_named(arguments.precision);
  if (is_given("--solver")) {
    chosen.solver = solver_named(arguments.solver);
    // The preset's step belongs to the plain iteration.
    if (chosen.solver != SolverKind::plain && !is_given("--alpha")) chosen.alpha.reset();
  }
  return chosen;
}

/// --transfer names a similarity, or a file with a matrix.
void choose_transfer(const TrainArguments& arguments, const Dataset& data, MgdOptions& options) {
  if (arguments.transfer.empty()) return;
  if (!std::filesystem::is_regular_file(arguments.transfer)) {
    options.similarity = similarity_named(arguments.transfer);
    return;
  }
  std::vector<std::string> names;
  for (Index i = 0; i < data.labels(); ++i) names.push_back(name_or_number(data.label_names, i));
  options.transfer = read_transfer(arguments.transfer, names);
}

void write_trace(const std::string& path, const Trace& trace) {
  AtomicFile file(path);
  file.write("iteration,total_loss,residual\n");
  for (const auto& state : trace.states()) {
    file.write(fmt::format("{},{},{}\n", state.iteration, state.total_loss, state.residual));
  }
  file.commit();
}

void run_train(const TrainArguments& arguments, const CLI::App& command, Session& session) {
  MgdOptions options = chosen_options(arguments, command);
  options.threads = session.threads;
  const auto target = arguments.model.empty()
                          ? std::filesystem::path(arguments.data.data).stem().concat(".mugrad")
                          : std::filesystem::path(arguments.model);
  refuse_overwriting(arguments.data, target);
  // Opened before the work, so that a folder that cannot be written to costs no training.
  { const AtomicFile writable(target); }
  if (!arguments.trace.empty()) const AtomicFile writable(arguments.trace);
  const Dataset data = read_data(arguments.data, session);
  choose_transfer(arguments, data, options);

  const auto started = std::chrono::steady_clock::now();
  const CooperativeInterrupts cooperative;
  TrainingProgress progress("training", !session.quiet);
  Trace trace(&progress);
  Observer& observer = arguments.trace.empty() ? static_cast<Observer&>(progress) : trace;
  const Model model = fit(data, options, &observer);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started;

  const auto& report = model.contents().report;
  for (const auto& warning : report.warnings) session.warn(warning);
  if (report.stop != "converged" && options.tolerance > 0) {
    session.warn(fmt::format(
        "not converged: after {} iterations the residual is {:.2e} of its first value, asked for "
        "{:.2e} (--iterations allows more; --precision double helps where float's digits end)",
        options.max_iterations, report.residual / report.first_residual, options.tolerance));
  }
  if (interrupted()) throw InterruptedError("training was interrupted at its end");
  model.save(target);
  if (!arguments.trace.empty()) write_trace(arguments.trace, trace);

  if (session.json) {
    session.print_json(Json{{"model", target.string()},
                            {"seconds", elapsed.count()},
                            {"report", Json::parse(json_text(report))}});
  } else {
    session.print(fmt::format("{}: {} labels from {} features, trained on {} examples\n{}\n",
                              target.string(), model.labels(), model.features(), report.rows,
                              training_sentence(report)));
    session.note(fmt::format("trained in {:.2f} s", elapsed.count()));
  }
}

void add_training_options(CLI::App& command, TrainArguments& arguments) {
  MgdOptions& options = arguments.options;
  const std::string group = "Training";
  command.add_option("--method", arguments.method, "Method to train")
      ->check(CLI::IsMember({"mgd"}))
      ->capture_default_str()
      ->group(group);
  command
      .add_option("--preset", arguments.preset,
                  "paper: alpha 0.02, 1000 plain iterations from zero, z-scores, intercept "
                  "transferred")
      ->check(CLI::IsMember({"paper"}))
      ->type_name("NAME")
      ->group(group);
  command.add_option("--rho", options.rho, "L2 strength, per example")
      ->capture_default_str()
      ->group(group);
  command
      .add_option("--loss", arguments.loss,
                  fmt::format("logistic or squared [default: {}]", to_string(options.loss)))
      ->type_name("NAME")
      ->group(group);
  command.add_option("--l1", options.l1, "Strength of the smoothed L1 on the weights")
      ->capture_default_str()
      ->group(group);
  command
      .add_option("--l1-sharpness", options.l1_sharpness,
                  "How closely the smoothed L1 follows |w|; steps shrink as it grows")
      ->capture_default_str()
      ->group(group);
  command
      .add_option("--positive-weight", options.positive_weight,
                  "How many negative examples a positive one counts for")
      ->capture_default_str()
      ->group(group);
  command.add_option("--sigma", options.sigma, "Transfer strength; 0 trains every label alone")
      ->capture_default_str()
      ->group(group);
  command
      .add_option("--transfer", arguments.transfer,
                  fmt::format("cosine, jaccard, conditional, pearson or identity, or a file with a "
                              "matrix [default: {}]",
                              to_string(options.similarity)))
      ->type_name("NAME")
      ->group(group);
  command
      .add_option("--neighbours", options.neighbours,
                  "Borrow from the K most similar labels alone [default: all]")
      ->type_name("K")
      ->group(group);
  command
      .add_flag("--transfer-intercept,!--own-intercept", options.transfer_intercept,
                "Transfer the intercepts too, as the paper does, or leave each label its own "
                "[default: own]")
      ->group(group);
  command
      .add_option("--scaling", arguments.scaling,
                  fmt::format("zscore, none or unit-row [default: {}]", to_string(options.scaling)))
      ->type_name("NAME")
      ->group(group);
  command.add_option("--threshold", options.threshold, "A label is predicted at this score")
      ->capture_default_str()
      ->group(group);
}

void add_solver_options(CLI::App& command, TrainArguments& arguments) {
  MgdOptions& options = arguments.options;
  const std::string group = "Solving";
  command
      .add_option("--solver", arguments.solver,
                  fmt::format("accelerated or plain [default: {}]", to_string(options.solver)))
      ->type_name("NAME")
      ->group(group);
  command
      .add_option("--tolerance", options.tolerance,
                  "Stop when the residual has fallen to this share of its first value; 0: never")
      ->capture_default_str()
      ->group(group);
  command.add_option("--iterations", options.max_iterations, "Iterations at the most")
      ->capture_default_str()
      ->group(group);
  command
      .add_option("--alpha", options.alpha,
                  "Step of the plain solver [default: 0.95 of the largest safe one]")
      ->type_name("FLOAT")
      ->group(group);
  command
      .add_option("--start", arguments.start,
                  fmt::format("log-odds, zero or random [default: {}]", to_string(options.start)))
      ->type_name("NAME")
      ->group(group);
  command.add_option("--seed", options.seed, "Seed of a random start")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str()
      ->group(group);
  command
      .add_option("--precision", arguments.precision,
                  fmt::format("float or double [default: {}]", to_string(options.precision)))
      ->type_name("NAME")
      ->group(group);
}

}  // namespace

void add_train(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<TrainArguments>();
  CLI::App* command = app.add_subcommand("train", "Train a model on a data file");
  add_data_arguments(*command, arguments->data);
  add_training_options(*command, *arguments);
  add_solver_options(*command, *arguments);
  command
      ->add_option("-o,--output", arguments->model,
                   "Model file to write [default: the data's name with .mugrad]")
      ->type_name("FILE");
  command
      ->add_option("--trace", arguments->trace,
                   "Write total loss and residual per iteration to this CSV file")
      ->type_name("FILE");
  add_threads_option(*command, session);
  add_session_options(*command, session);
  add_examples(*command,
               "  mugrad train emotions.arff -o emotions.mugrad\n"
               "  mugrad train topics.csv --label-columns 'topic*' --sigma 0.3\n"
               "  mugrad train emotions.arff --preset paper --rho 0.1 --threshold 0.3");
  command->callback([arguments, command, &session] { run_train(*arguments, *command, session); });
}

}  // namespace mugrad::cli

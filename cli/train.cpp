// SPDX-License-Identifier: MIT
#include "commands.h"
#include "data_arguments.h"
#include "interrupt.h"
#include "mgd_arguments.h"
#include "model_card.h"
#include "progress.h"

#include <mugrad/core/atomic_file.h>
#include <mugrad/core/error.h>
#include <mugrad/method/mgd.h>

#include <fmt/format.h>

#include <chrono>

namespace mugrad::cli {
namespace {

struct TrainArguments {
  DataArguments data;
  MgdArguments mgd;
  std::string method = "mgd";
  std::string model;
  std::string trace;
};

void write_trace(const std::string& path, const Trace& trace) {
  AtomicFile file(path);
  file.write("iteration,total_loss,residual\n");
  for (const auto& state : trace.states()) {
    file.write(fmt::format("{},{},{}\n", state.iteration, state.total_loss, state.residual));
  }
  file.commit();
}

void run_train(const TrainArguments& arguments, const CLI::App& command, Session& session) {
  const auto target = arguments.model.empty()
                          ? std::filesystem::path(arguments.data.data).stem().concat(".mugrad")
                          : std::filesystem::path(arguments.model);
  refuse_overwriting(arguments.data, target);
  // Opened before the work, so that a folder that cannot be written to costs no training.
  { const AtomicFile writable(target); }
  if (!arguments.trace.empty()) const AtomicFile writable(arguments.trace);
  const Dataset data = read_data(arguments.data, session);
  MgdOptions options = chosen_options(arguments.mgd, command, data);
  options.threads = session.threads;

  const auto started = std::chrono::steady_clock::now();
  const CooperativeInterrupts cooperative;
  TrainingProgress progress("training", !session.quiet);
  Trace trace(&progress);
  Observer& observer = arguments.trace.empty() ? static_cast<Observer&>(progress) : trace;
  const Model model = fit(data, options, &observer);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started;

  const auto& report = model.contents().report;
  for (const auto& warning : report.warnings) session.warn(warning);
  if (report.stop == to_string(Stop::iteration_limit) && options.tolerance > 0) {
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

}  // namespace

void add_train(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<TrainArguments>();
  CLI::App* command = app.add_subcommand("train", "Train a model on a data file");
  add_data_arguments(*command, arguments->data);
  command->add_option("--method", arguments->method, "Method to train")
      ->check(CLI::IsMember({"mgd"}))
      ->capture_default_str();
  add_objective_options(*command, arguments->mgd);
  add_threshold_option(*command, arguments->mgd);
  add_solver_options(*command, arguments->mgd);
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

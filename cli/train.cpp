// SPDX-License-Identifier: MIT
#include "commands.h"
#include "data_arguments.h"
#include "interrupt.h"
#include "method_arguments.h"
#include "model_card.h"
#include "progress.h"
#include "train_together.h"
#include "tune_arguments.h"

#include <mugrad/core/atomic_file.h>
#include <mugrad/core/error.h>
#include <mugrad/method/mgd.h>

#include <fmt/format.h>

#include <chrono>

namespace mugrad::cli {
namespace {

struct TrainArguments {
  DataArguments data;
  MethodArguments method;
  std::string model;
  std::string trace;
  bool chooses = false;
  TuneArguments tuning;
  SharingArguments sharing;
};

void write_trace(const std::string& path, const Trace& trace) {
  AtomicFile file(path);
  file.write("iteration,total_loss,residual\n");
  for (const auto& state : trace.iterates()) {
    file.write(fmt::format("{},{},{}\n", state.iteration, state.total_loss, state.residual));
  }
  file.commit();
}

/// --auto: options and thresholds by inner folds, then training on everything.
Model train_tuned(const TrainArguments& arguments, const CLI::App& command, const Dataset& data,
                  const Session& session, Progress& progress) {
  const TuneOptions options = chosen_tuning(arguments.tuning, arguments.method, command, session);
  const Method& method = method_named(arguments.method.method);
  Tuning tuning;
  {
    ShownProgress tuning_progress("tuning", !session.quiet);
    tuning = tune(data, method, options, &tuning_progress);
  }
  const Trial& best = tuning.best_trial();
  session.note(fmt::format("best of {} settings: {} ({} {:.4f} on inner folds)",
                           tuning.trials.size(), settings_text(best.values),
                           to_string(tuning.metric), best.mean));
  return fit_as_tried(data, method, best, session.threads, &progress);
}

Model train(const TrainArguments& arguments, const CLI::App& command, const Dataset& data,
            const Session& session, Progress& progress) {
  if (arguments.chooses) return train_tuned(arguments, command, data, session, progress);
  const auto [values, extras] = chosen_setting(arguments.method, command, data);
  return method_named(arguments.method.method)
      .fit(data, values, extras, session.threads, &progress);
}

/// Methods that consist of many runs report their progress, but have no iterates to write.
void refuse_trace_of(const Method& method) {
  if (method.traits().has_iterates) return;
  throw UsageError(fmt::format(
      "--trace writes the iterates of one run, which {} have but {} does not",
      names_of_methods([](const MethodTraits& of) { return of.has_iterates; }), method.name()));
}

/// What one process can do and several cannot.
void refuse_alone(const TrainArguments& arguments) {
  if (arguments.chooses) {
    throw UsageError("--auto cannot be used under mpirun: run mugrad tune first");
  }
  if (!arguments.trace.empty()) throw UsageError("--trace cannot be used under mpirun");
}

void run_train(const TrainArguments& arguments, const CLI::App& command, Session& session) {
  const auto target = arguments.model.empty()
                          ? std::filesystem::path(arguments.data.data).stem().concat(".mugrad")
                          : std::filesystem::path(arguments.model);
  declare_reads(arguments.data, session);
  declare_reads(arguments.method, session);
  session.files.writes(target, "--output");
  session.files.writes(arguments.trace, "--trace");
  declare_writes(arguments.sharing, session);
  // Opened before the work, so that a folder that cannot be written to costs no training.
  { const AtomicFile writable(target); }
  if (!arguments.trace.empty()) {
    refuse_trace_of(method_named(arguments.method.method));
    const AtomicFile writable(arguments.trace);
  }
  if (session.ranks.are_launched()) {
    refuse_alone(arguments);
    chosen_values(arguments.method, command);
    return train_together(arguments.data, arguments.method, arguments.sharing, command, target,
                          session);
  }
  refuse_sharing_options(command);
  // Before the work, too: what is wrong with the options, and what no memory is there for.
  refuse_what_does_not_fit(arguments.data, session, method_named(arguments.method.method),
                           chosen_values(arguments.method, command));
  const Dataset data = read_data(arguments.data, session);

  const auto started = std::chrono::steady_clock::now();
  const CooperativeInterrupts cooperative;
  ShownProgress progress("training", !session.quiet);
  Trace trace(&progress);
  Progress& watched = arguments.trace.empty() ? static_cast<Progress&>(progress) : trace;
  const Model model = train(arguments, command, data, session, watched);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started;

  const auto& report = model.contents().report;
  for (const auto& warning : report.warnings) session.warn(warning);
  if (interrupted()) throw InterruptedError("training was interrupted at its end");
  model.save(target);
  if (!arguments.trace.empty()) write_trace(arguments.trace, trace);

  if (session.json) {
    session.print_json(Json{{"model", target.string()},
                            {"labels", data.labels()},
                            {"labels_from", data.labels_from},
                            {"seconds", elapsed.count()},
                            {"report", Json::parse(json_text(report))}});
  } else {
    session.print(fmt::format("{}: {} labels from {} features, trained on {} examples\n{}\n",
                              target.string(), model.labels(), model.features(), report.rows,
                              training_sentence(report, model.labels())));
    session.note(fmt::format("trained in {:.2f} s", elapsed.count()));
  }
}

}  // namespace

void add_train(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<TrainArguments>();
  CLI::App* command = app.add_subcommand("train", "Train a model on a data file");
  add_data_arguments(*command, arguments->data);
  add_method_choice(*command, arguments->method);
  CLI::Option* const chooses =
      command->add_flag("--auto", arguments->chooses,
                        "First choose options and thresholds by inner folds, as mugrad tune does");
  add_method_options(*command, arguments->method, methods());
  for (CLI::Option* const option : add_tune_options(*command, arguments->tuning)) {
    option->needs(chooses);
  }
  command
      ->add_option("-o,--output", arguments->model,
                   "Model file to write [default: the name of the data with .mugrad]")
      ->type_name("FILE");
  command
      ->add_option("--trace", arguments->trace,
                   "Write total loss and residual of every iteration to this CSV file (mgd, br)")
      ->type_name("FILE");
  add_sharing_options(*command, arguments->sharing);
  add_threads_option(*command, session);
  add_session_options(*command, session);
  add_examples(*command,
               "  mugrad train emotions.arff --auto -o emotions.mugrad\n"
               "  mugrad train topics.csv --label-columns 'topic*' --sigma 0.3\n"
               "  mugrad train emotions.arff --preset paper --rho 0.1 --threshold 0.3\n"
               "  mugrad train emotions.arff --method br --rho 0.05\n"
               "  mpirun -n 8 mugrad train data.xmc --neighbours 10 --checkpoint saved");
  command->callback([arguments, command, &session] { run_train(*arguments, *command, session); });
}

}  // namespace mugrad::cli

// SPDX-License-Identifier: MIT
#include "choices.h"
#include "commands.h"
#include "continued_training.h"
#include "core/atomic_file.h"
#include "core/input/input_name.h"
#include "data_arguments.h"
#include "leaderboard.h"
#include "method_arguments.h"
#include "model_card.h"
#include "process.h"
#include "progress.h"
#include "train_together.h"
#include "tune_arguments.h"

#include <mugrad/core/error.h>
#include <mugrad/method/mgd.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string_view>
#include <utility>

namespace mugrad::cli {
namespace {

struct TrainArguments {
  DataArguments data;
  MethodArguments method;
  std::string model;
  std::string trace;
  bool chooses = false;
  std::string methods;  ///< to tune and compare; empty: the chosen method only
  TuneArguments tuning;
  std::vector<CLI::Option*> tune_options;
  SharingArguments sharing;
  ContinueArguments further;
};

void write_trace(const std::string& path, const Trace& trace) {
  AtomicFile file(path);
  file.write("iteration,total_loss,residual\n");
  for (const auto& state : trace.iterates()) {
    file.write(fmt::format("{},{},{}\n", state.iteration, state.total_loss, state.residual));
  }
  file.commit();
}

/// A model, and the methods that competed for it; empty: no other was tried.
struct Trained {
  Model model;
  std::vector<Standing> standings = {};
};

/// --auto --methods: tunes several methods, then trains the best on everything.
Trained train_best_method(const TrainArguments& arguments, const CLI::App& command,
                          const Dataset& data, const Session& session, Progress& progress) {
  if (!chosen_values(arguments.method, command).empty()) {
    throw UsageError(
        "--methods tries the usual search of each method: remove the options of "
        "methods, or use --method");
  }
  const TuneOptions options = chosen_tuning(arguments.tuning, session);
  auto standings = leaderboard(data, methods_named(arguments.methods), options, session);
  const Standing& best = standings.front();
  if (!session.json) session.print(leaderboard_text(standings, options.metric));
  Model model = fit_as_tried(data, *best.method, best.tuning->best_trial(), options, &progress);
  tell_decisions(model, options, session);
  return {std::move(model), std::move(standings)};
}

/// --auto: chooses options and thresholds by inner folds, then trains on everything.
Model train_tuned(const TrainArguments& arguments, const CLI::App& command, const Dataset& data,
                  const Session& session, Progress& progress) {
  TuneOptions options = chosen_tuning(arguments.tuning, arguments.method, command, session);
  const Method& method = method_named(arguments.method.method);
  Tuning tuning;
  {
    ShownProgress tuning_progress("tuning", !session.quiet);
    options.keep = [&](const Tuning& so_far) { show_leader(so_far, tuning_progress); };
    tuning = tune(data, method, options, &tuning_progress);
  }
  const Trial& best = tuning.best_trial();
  if (!tuning.is_complete) session.note(out_of_time_text(tuning));
  if (tuning.parts > 0) {
    session.note(fmt::format("best of {} settings: {} ({} {:.4f} on inner folds)",
                             tuning.trials.size(), settings_text(best.values),
                             to_string(tuning.metric), best.mean));
  }
  Model model = fit_as_tried(data, method, best, options, &progress);
  tell_decisions(model, options, session);
  return model;
}

/// Whether the thresholds of the method are wanted: one is given, or the settings of the paper.
bool keeps_thresholds(const TrainArguments& arguments, const OptionValues& values,
                      const CLI::App& command) {
  return has_given_threshold(arguments.tuning, values, command) ||
         (!arguments.method.preset.empty() && !asks_for_thresholds(arguments.tuning, command));
}

/// What inner folds decide beside these options of the method.
TuneOptions chosen_decisions(const TrainArguments& arguments, const OptionValues& values,
                             const CLI::App& command, const Session& session) {
  TuneOptions options = chosen_tuning(arguments.tuning, session);
  if (keeps_thresholds(arguments, values, command)) keep_thresholds(arguments.tuning, options);
  return options;
}

Trained train(const TrainArguments& arguments, const CLI::App& command, const Dataset& data,
              const Session& session, Progress& progress) {
  if (!arguments.methods.empty()) {
    return train_best_method(arguments, command, data, session, progress);
  }
  if (arguments.chooses) return {train_tuned(arguments, command, data, session, progress)};
  const auto [values, extras] = chosen_setting(arguments.method, command, data);
  const TuneOptions options = chosen_decisions(arguments, values, command, session);
  Model model = fit_by_inner_folds(data, method_named(arguments.method.method), values, extras,
                                   options, &progress);
  tell_decisions(model, options, session);
  return {std::move(model)};
}

std::string methods_with_iterates() {
  return names_of_methods([](const MethodTraits& of) { return of.has_iterates; });
}

/// Methods that consist of many runs report progress, but have no iterates to write.
void refuse_trace_of(const Method& method) {
  if (method.traits().has_iterates) return;
  throw UsageError(
      fmt::format("--trace writes the iterates of one run, which {} have but {} does not",
                  methods_with_iterates(), method.name()));
}

/// Rejects options that several processes do not support.
void refuse_alone(const TrainArguments& arguments) {
  if (arguments.chooses) {
    throw UsageError("--auto cannot be used under mpirun: run mugrad tune first");
  }
  if (!arguments.trace.empty()) throw UsageError("--trace cannot be used under mpirun");
}

std::filesystem::path model_path(const TrainArguments& arguments) {
  if (!arguments.model.empty()) return arguments.model;
  if (is_standard_input(arguments.data.data)) {
    throw UsageError("standard input has no name for the model to take: name the model with -o");
  }
  return set_name(arguments.data.data) + ".mugrad";
}

/// The rows, and the model that --continue trains further with them.
struct Given {
  Dataset data;
  std::optional<Model> before = {};
};

Given read_given(const TrainArguments& arguments, const CLI::App& command, const Session& session) {
  if (arguments.further.is_given()) {
    Model before = Model::load(arguments.further.model);
    Dataset data = read_data_to_continue(arguments.data, before, session);
    return {std::move(data), std::move(before)};
  }
  chosen_tuning(arguments.tuning, session);  // errors in its options, before the work
  return {read_data_to_train(arguments.data, session, method_named(arguments.method.method),
                             chosen_values(arguments.method, command))};
}

Trained train(const TrainArguments& arguments, const CLI::App& command, const Given& given,
              const Session& session, Progress& progress) {
  if (given.before) {
    return {continued(arguments.further, arguments.method, arguments.data, *given.before,
                      given.data, command, session, progress)};
  }
  Trained trained = train(arguments, command, given.data, session, progress);
  trained.model =
      with_kept_curvature(arguments.further, trained.model, given.data, session, progress);
  return trained;
}

void run_train(const TrainArguments& arguments, const CLI::App& command, Session& session) {
  const auto target = model_path(arguments);
  declare_reads(arguments.data, session);
  declare_reads(arguments.method, session);
  declare_reads(arguments.further, session);
  session.files.writes(target, "--output");
  session.files.writes(arguments.trace, "--trace");
  declare_writes(arguments.sharing, session);
  // Opened before the work, so that no training is lost if the folder is not writable.
  { const AtomicFile writable(target); }
  if (!arguments.trace.empty()) {
    refuse_trace_of(method_named(arguments.method.method));
    const AtomicFile writable(arguments.trace);
  }
  if (arguments.further.is_given()) {
    check_continued(arguments.further, arguments.method, command, arguments.tune_options, session);
  }
  check_keeps_curvature(arguments.further, arguments.method, command, session);
  if (session.ranks.are_launched()) {
    refuse_alone(arguments);
    const OptionValues values = chosen_values(arguments.method, command);
    return train_together(arguments.data, arguments.method,
                          chosen_decisions(arguments, values, command, session), arguments.sharing,
                          command, target, session);
  }
  refuse_sharing_options(command);
  const Given given = read_given(arguments, command, session);
  const Dataset& data = given.data;

  const auto started = std::chrono::steady_clock::now();
  const CooperativeInterrupts cooperative;
  ShownProgress progress("training", !session.quiet);
  Trace trace(&progress);
  Progress& watched = arguments.trace.empty() ? static_cast<Progress&>(progress) : trace;
  const auto [model, standings] = train(arguments, command, given, session, watched);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started;

  const auto& report = model.contents().report;
  for (const auto& warning : report.warnings) session.warn(warning);
  if (interrupted()) throw InterruptedError("training was interrupted at its end");
  model.save(target);
  if (!arguments.trace.empty()) write_trace(arguments.trace, trace);

  if (session.json) {
    Json json = {{"model", target.string()},
                 {"labels", model.labels()},
                 {"labels_from", data.labels_from},
                 {"seconds", elapsed.count()},
                 {"report", Json::parse(json_text(report))}};
    if (!standings.empty()) json["leaderboard"] = leaderboard_json(standings);
    session.print_json(json);
  } else {
    const std::string of_new =
        report.new_rows > 0 ? fmt::format(", {} of them new", report.new_rows) : "";
    session.print(fmt::format("{}: {} labels from {} features, trained on {} examples{}\n{}\n",
                              target.string(), model.labels(), model.features(), report.rows,
                              of_new, training_sentence(report, model.labels())));
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
  suggest(add_value(*command, "--methods", arguments->methods, "LIST",
                    "With --auto: tune several methods, for example mgd,lift or all, and train "
                    "the best"),
          method_choices())
      ->needs(chooses)
      ->excludes(command->get_option("--method"));
  add_method_options(*command, arguments->method, methods());
  // The others also apply to the choice of thresholds.
  constexpr std::string_view kOnlyWithAuto[] = {"--metric", "--draws", "--budget"};
  arguments->tune_options = add_tune_options(*command, arguments->tuning);
  for (CLI::Option* const option : arguments->tune_options) {
    if (std::ranges::count(kOnlyWithAuto, option->get_name()) > 0) option->needs(chooses);
  }
  add_calibrate_option(*command, arguments->tuning);
  add_value(*command, "-o,--output", arguments->model, "FILE",
            "Model file to write [default: the name of the data with .mugrad]");
  add_value(*command, "--trace", arguments->trace, "FILE",
            fmt::format(
                "Write total loss on the training data and residual of every iteration to this CSV "
                "file ({})",
                methods_with_iterates()));
  add_continue_options(*command, arguments->further);
  add_sharing_options(*command, arguments->sharing);
  add_threads_option(*command, session);
  add_session_options(*command, session);
  add_examples(*command,
               "  mugrad train emotions.arff --auto -o emotions.mugrad\n"
               "  mugrad train topics.csv --label-columns 'topic*' --sigma 0.3\n"
               "  mugrad train emotions.arff --preset paper --rho 0.1 --threshold 0.3\n"
               "  mugrad train emotions.arff --method br --rho 0.05\n"
               "  mugrad train --continue tickets.mugrad november.jsonl\n"
               "  mpirun -n 8 mugrad train data.xmc --neighbours 10 --checkpoint saved");
  command->callback([arguments, command, &session] { run_train(*arguments, *command, session); });
}

}  // namespace mugrad::cli

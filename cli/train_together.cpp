// SPDX-License-Identifier: MIT
#include "train_together.h"

#include "model_card.h"
#include "progress.h"

#include <mugrad/core/error.h>
#include <mugrad/experiment/thresholds.h>
#include <mugrad/mpi/train.h>

#include <fmt/format.h>

#include <chrono>

namespace mugrad::cli {

void add_sharing_options(CLI::App& command, SharingArguments& arguments) {
  command.option_defaults()->group("Under mpirun");
  add_default(command, "--row-shards", arguments.row_shards,
              "Divide the examples among N ranks, and the labels among groups of N ranks; "
              "Gaussian features need 1")
      ->check(CLI::Range(1, 1 << 20))
      ->type_name("N");
  add_value(command, "--checkpoint", arguments.checkpoint, "DIR",
            "Folder to write checkpoints to; training resumes from a checkpoint found there");
  add_default(command, "--checkpoint-every", arguments.checkpoint_every,
              "Seconds between checkpoints; 0: one after every round")
      ->check(CLI::NonNegativeNumber)
      ->type_name("SECONDS");
  command.option_defaults()->group("Options");
}

void refuse_sharing_options(const CLI::App& command) {
  for (const char* name : {"--row-shards", "--checkpoint", "--checkpoint-every"}) {
    if (command.count(name) == 0) continue;
    throw UsageError(fmt::format("{} can only be used under mpirun", name));
  }
}

#ifdef MUGRAD_WITH_MPI

void declare_writes(const SharingArguments& arguments, Session& session) {
  if (arguments.checkpoint.empty()) return;
  for (const auto& file : mpi::checkpoint_files(arguments.checkpoint)) {
    session.files.writes(file, "--checkpoint");
  }
}

namespace {

void print_result(const mpi::SharedTraining& trained, const std::filesystem::path& target,
                  double seconds, const Session& session) {
  const auto& report = trained.report;
  if (session.json) {
    session.print_json(Json{{"model", target.string()},
                            {"seconds", seconds},
                            {"ranks", session.ranks.size()},
                            {"rounds", trained.rounds},
                            {"resumed_at", trained.resumed_at},
                            {"groups", trained.groups},
                            {"exchange", mpi::to_string(trained.exchange)},
                            {"exchanged_columns", trained.exchanged_columns},
                            {"exchanges", trained.exchanges},
                            {"bytes_per_exchange", trained.bytes_per_exchange},
                            {"bytes_exchanged", trained.bytes},
                            {"gradients", trained.gradients},
                            {"bytes_summed", trained.summed_bytes},
                            {"peak_bytes", trained.peak_bytes},
                            {"setup_seconds", trained.setup_seconds},
                            {"work_seconds", trained.work_seconds},
                            {"report", Json::parse(json_text(report))}});
    return;
  }
  session.print(fmt::format("{}: {} labels from {} features, trained on {} examples\n{}\n",
                            target.string(), trained.labels, trained.features, report.rows,
                            training_sentence(report, trained.labels)));
  if (!trained.thresholds.empty()) {
    session.note(fmt::format("threshold: {}", thresholds_text(trained.thresholds)));
  }
  if (trained.is_calibrated) session.note("scores: calibrated by inner folds");
  if (trained.resumed_at > 0) {
    session.note(fmt::format("resumed from the checkpoint of round {}", trained.resumed_at));
  }
  const auto received = trained.exchange == mpi::Exchange::sums
                            ? std::string("sums over all labels")
                            : fmt::format("{} weight columns of others", trained.exchanged_columns);
  session.note(
      fmt::format("trained in {:.2f} s by {} ranks, in {} rounds; in each they received {}, "
                  "{:.3g} MB",
                  seconds, session.ranks.size(), trained.rounds, received,
                  static_cast<double>(trained.bytes_per_exchange) / 1e6));
}

/// The options of the inner folds alone, as in one process.
OptionValues trial_only_options(const MethodArguments& method, const CLI::App& command) {
  OptionValues values = chosen_values(method, command);
  values.erase("transfer");  // may name a file
  return search_of(method_named(method.method).traits(), values, false).trial_only;
}

}  // namespace

void train_together(const DataArguments& data, const MethodArguments& method,
                    const TuneOptions& how, const SharingArguments& sharing,
                    const CLI::App& command, const std::filesystem::path& target,
                    const Session& session) {
  if (!method_named(method.method).traits().runs_on_ranks) {
    throw UsageError(fmt::format(
        "only {} can be trained under mpirun, not {}",
        names_of_methods([](const MethodTraits& of) { return of.runs_on_ranks; }), method.method));
  }
  TuneOptions tuning = how;
  tuning.search.trial_only = trial_only_options(method, command);
  const auto started = std::chrono::steady_clock::now();
  ShownProgress progress("training", !session.quiet && session.ranks.is_first());
  const auto options_for = [&](const Dataset& read) {
    tell_labels(data, read, session);
    MgdOptions options = chosen_mgd_options(method, command, read);
    options.threads = session.threads;
    return options;
  };
  const auto trained = mpi::train(session.ranks.world(), data_path(data.data),
                                  read_options(data, session), options_for, tuning,
                                  {.row_shards = sharing.row_shards,
                                   .checkpoint = sharing.checkpoint,
                                   .checkpoint_seconds = sharing.checkpoint_every},
                                  target, &progress);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started;
  for (const auto& warning : trained.report.warnings) session.warn(warning);
  print_result(trained, target, elapsed.count(), session);
}

#else

void declare_writes(const SharingArguments&, Session&) {}

void train_together(const DataArguments&, const MethodArguments&, const TuneOptions&,
                    const SharingArguments&, const CLI::App&, const std::filesystem::path&,
                    const Session&) {}

#endif

}  // namespace mugrad::cli

// SPDX-License-Identifier: MIT
#include "choices.h"
#include "commands.h"
#include "core/atomic_file.h"
#include "data_arguments.h"
#include "method_arguments.h"
#include "process.h"
#include "progress.h"
#include "report/text_table.h"

#include <mugrad/core/error.h>
#include <mugrad/experiment/compare.h>
#include <mugrad/experiment/study.h>
#include <mugrad/report/page.h>

#include <fmt/format.h>

#include <array>

namespace mugrad::cli {
namespace {

struct StudyArguments {
  DataArguments data;
  MethodArguments method;
  OuterProtocol outer{.repeats = 1};
  std::string metric = to_string(Metric{});
  std::string output;
  Index iterations = ConvergenceOptions{}.iterations;
  double start_deviation = ConvergenceOptions{}.start_deviation;
  std::vector<double> rhos = SensitivityOptions{}.rhos;
  std::vector<double> sigmas = SensitivityOptions{}.sigmas;
};

/// Prints the text, or writes the study to the given file and prints only its name.
void finish(const StudyArguments& arguments, const std::string& json, const std::string& text,
            const Session& session) {
  if (!arguments.output.empty()) {
    write_file(arguments.output, json);
    session.note(fmt::format("{}; view it with mugrad report {} -o report.html", arguments.output,
                             arguments.output));
  }
  session.print(session.json ? json : text);
}

/// Before the work, so that none is lost if a file cannot be written.
void check_files(const StudyArguments& arguments, Session& session) {
  declare_reads(arguments.data, session);
  declare_reads(arguments.method, session);
  session.files.writes(arguments.output, "--output");
  if (!arguments.output.empty()) const AtomicFile writable(arguments.output);
}

/// The settings of the paper, unless other options are given.
OptionValues convergence_setting() {
  OptionValues values = paper_preset();
  values.insert({{"rho", "0.1"}, {"sigma", "0.1"}});
  return values;
}

/// Rejects options of the method that the study sets itself.
void refuse(const CLI::App& command, std::initializer_list<const char*> options, const char* why) {
  for (const char* const option : options) {
    if (command.count(option) > 0)
      throw UsageError(fmt::format("{} cannot be used here: {}", option, why));
  }
}

void run_convergence(const StudyArguments& arguments, const CLI::App& command, Session& session) {
  const Metric metric = metric_named(arguments.metric);
  refuse(command, {"--iterations", "--tolerance", "--solver", "--precision"},
         "the study runs the plain iteration in double precision for --steps steps");
  check_files(arguments, session);
  const Dataset data = read_data(arguments.data, session);
  ConvergenceOptions options{.iterations = arguments.iterations,
                             .start_deviation = arguments.start_deviation,
                             .metric = metric};
  options.mgd = chosen_mgd_options(arguments.method, command, data, convergence_setting());
  options.mgd.threads = session.threads;
  const Split split = take(data, outer_splits(data, arguments.outer).at(0));

  const CooperativeInterrupts cooperative;
  ConvergenceStudy study;
  {
    ShownProgress progress("studying", !session.quiet);
    study = study_convergence(split, options, &progress);
  }
  const auto& mgd = study.curves[0];
  const auto& alone = study.curves[1];
  TextTable table({"iteration", "loss, MGD", "alone", to_string(study.metric) + ", MGD", "alone"});
  for (std::size_t k = 0; k < mgd.iterations.size(); ++k) {
    const bool is_shown = k < 5 || k % 10 == 0 || k + 1 == mgd.iterations.size();
    if (!is_shown) continue;
    table.add({fmt::format("{}", mgd.iterations[k]), fmt::format("{:.4f}", mgd.total_loss[k]),
               fmt::format("{:.4f}", alone.total_loss[k]), fmt::format("{:.4f}", mgd.metric[k]),
               fmt::format("{:.4f}", alone.metric[k])});
  }
  finish(arguments, study_json(set_name(arguments.data.data), study),
         study.setting + "\n" + table.text(), session);
}

void run_sensitivity(const StudyArguments& arguments, const CLI::App& command, Session& session) {
  const Metric metric = metric_named(arguments.metric);
  refuse(command, {"--rho", "--sigma"}, "the study uses --rhos and --sigmas");
  check_files(arguments, session);
  const Dataset data = read_data(arguments.data, session);
  SensitivityOptions options{.rhos = arguments.rhos, .sigmas = arguments.sigmas, .metric = metric};
  options.mgd = chosen_mgd_options(arguments.method, command, data);
  options.mgd.threads = session.threads;
  auto splits = outer_splits(data, arguments.outer);

  const CooperativeInterrupts cooperative;
  SensitivityStudy study;
  {
    ShownProgress progress("studying", !session.quiet);
    SilentProgress silent;
    const auto split_at = [&](Index k) { return splits.at(k, &silent); };
    study = study_sensitivity(data, splits.count(), split_at, options, &progress);
  }
  std::vector<std::string> header = {"rho \\ sigma"};
  for (const double sigma : study.sigmas) header.push_back(fmt::format("{:g}", sigma));
  TextTable table(std::move(header));
  for (Index row = 0; row < study.values.rows(); ++row) {
    std::vector<std::string> line = {fmt::format("{:g}", study.rhos[as_size(row)])};
    for (const double value : study.values.row(row)) line.push_back(fmt::format("{:.4f}", value));
    table.add(std::move(line));
  }
  finish(arguments, study_json(set_name(arguments.data.data), study),
         to_string(study.metric) + "\n" + table.text(), session);
}

void add_common(CLI::App& command, StudyArguments& arguments, Session& session) {
  add_data_arguments(command, arguments.data);
  suggest(add_default(command, "--metric", arguments.metric, "Metric to measure on the test part")
              ->type_name("NAME"),
          metric_choices());
  add_default(command, "--train", arguments.outer.train, "Share of training examples")
      ->check(CLI::Range(0.001, 0.999));
  add_default(command, "--split-seed", arguments.outer.seed, "Seed of the split")
      ->check(CLI::NonNegativeNumber);
  add_value(command, "-o,--output", arguments.output, "FILE",
            "Write the study to this file, for reports");
  add_threads_option(command, session);
  add_session_options(command, session);
}

}  // namespace

void add_study(CLI::App& app, Session& session) {
  CLI::App* study = app.add_subcommand(
      "study", "Study the convergence of MGD, or its sensitivity to rho and sigma");
  study->require_subcommand(1);
  const std::array<const Method*, 1> mgd = {&method_named("mgd")};

  auto convergence = std::make_shared<StudyArguments>();
  CLI::App* command = study->add_subcommand(
      "convergence", "Loss and a metric per iteration, with and without transfer");
  add_common(*command, *convergence, session);
  add_method_options(*command, convergence->method, mgd);
  add_default(*command, "--steps", convergence->iterations, "Number of iterations")
      ->check(CLI::PositiveNumber);
  add_default(*command, "--start-deviation", convergence->start_deviation,
              "Standard deviation of the initial weights, with --start random")
      ->check(CLI::NonNegativeNumber);
  add_examples(*command,
               "  mugrad study convergence emotions\n"
               "  mugrad study convergence emotions --sigma 0.3 --start random -o curve.json");
  command->callback(
      [convergence, command, &session] { run_convergence(*convergence, *command, session); });

  auto sensitivity = std::make_shared<StudyArguments>();
  command = study->add_subcommand("sensitivity", "A metric over a grid of rho and sigma");
  add_common(*command, *sensitivity, session);
  add_default(*command, "--repeats", sensitivity->outer.repeats, "Number of splits to average over")
      ->check(CLI::PositiveNumber);
  command->add_option("--rhos", sensitivity->rhos, "Values of rho")->delimiter(',');
  command->add_option("--sigmas", sensitivity->sigmas, "Values of sigma")->delimiter(',');
  add_method_options(*command, sensitivity->method, mgd);
  add_examples(*command,
               "  mugrad study sensitivity emotions\n"
               "  mugrad study sensitivity emotions --rhos 0.01,0.1,1 --sigmas 0,0.3 --metric "
               "micro-f1 -o map.json");
  command->callback(
      [sensitivity, command, &session] { run_sensitivity(*sensitivity, *command, session); });
}

}  // namespace mugrad::cli

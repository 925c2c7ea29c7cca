// SPDX-License-Identifier: MIT
#include "commands.h"
#include "core/atomic_file.h"
#include "data/csv_cell.h"
#include "data_arguments.h"
#include "evaluation_text.h"
#include "method_arguments.h"
#include "process.h"
#include "progress.h"
#include "report/text_table.h"
#include "tune_arguments.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <sstream>

namespace mugrad::cli {
namespace {

/// Number of best settings that are printed.
constexpr std::size_t kShown = 10;

struct TuneCommand {
  DataArguments data;
  MethodArguments method;
  TuneArguments tuning;
  std::string model;
  std::string table;
};

/// Trials from best to worst; then dropped ones, and failed ones last.
std::vector<std::size_t> by_quality(const Tuning& tuning) {
  std::vector<std::size_t> order(tuning.trials.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const double sign = larger_is_better(tuning.metric) ? 1 : -1;
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    const auto& first = tuning.trials[a];
    const auto& second = tuning.trials[b];
    if (first.failure.empty() != second.failure.empty()) return first.failure.empty();
    const bool first_is_whole = first.parts >= tuning.parts;
    if (first_is_whole != (second.parts >= tuning.parts)) return first_is_whole;
    return sign * first.mean > sign * second.mean;
  });
  return order;
}

/// The value of an option in a trial; empty if its stage has none.
std::string value_in(const Trial& trial, const std::string& option) {
  const auto found = trial.values.find(option);
  return found == trial.values.end() ? "" : found->second;
}

std::string threshold_text(const Trial& trial) {
  return trial.thresholds.empty() ? "" : thresholds_text(trial.thresholds);
}

std::string trials_text(const Tuning& tuning, const TuneOptions& options) {
  auto names = searched_options(options.search);
  // Some are for other data, such as data with texts.
  std::erase_if(names, [&](const std::string& name) {
    return std::ranges::all_of(tuning.trials,
                               [&](const Trial& trial) { return value_in(trial, name).empty(); });
  });
  std::vector<std::string> header = {to_string(tuning.metric)};
  header.insert(header.end(), names.begin(), names.end());
  const bool has_thresholds = options.thresholds != ThresholdRule::keep;
  if (has_thresholds) header.emplace_back("threshold");
  TextTable table(std::move(header));
  const auto order = by_quality(tuning);
  for (std::size_t k = 0; k < std::min(kShown, order.size()); ++k) {
    const Trial& trial = tuning.trials[order[k]];
    if (k > 0 && trial.parts < tuning.parts) break;  // dropped
    std::vector<std::string> row = {!trial.failure.empty()   ? "failed"
                                    : std::isnan(trial.mean) ? "not tried"
                                                             : fmt::format("{:.4f}", trial.mean)};
    for (const auto& name : names) row.push_back(value_in(trial, name));
    if (has_thresholds) row.push_back(threshold_text(trial));
    table.add(std::move(row));
  }
  return table.text();
}

void write_trials(const std::string& path, const Tuning& tuning, const TuneOptions& options) {
  const auto names = searched_options(options.search);
  AtomicFile file(path);
  std::string line;
  for (const auto& name : names) line += spreadsheet_cell(name) + ",";
  file.write(line + spreadsheet_cell(to_string(tuning.metric)) + ",folds,threshold,failure\n");
  for (const Trial& trial : tuning.trials) {
    line.clear();
    for (const auto& name : names) line += spreadsheet_cell(value_in(trial, name)) + ",";
    std::string folds;
    for (const double score : trial.scores) {
      folds += fmt::format("{}{}", folds.empty() ? "" : " ", score);
    }
    file.write(fmt::format("{}{},{},{},{}\n", line, trial.mean, folds,
                           spreadsheet_cell(threshold_text(trial)),
                           spreadsheet_cell(trial.failure)));
  }
  file.commit();
}

Json trial_json(const Trial& trial) {
  Json json = {{"options", trial.values}};
  if (!trial.failure.empty()) {
    json["failure"] = trial.failure;
    return json;
  }
  if (!std::isnan(trial.mean)) json["mean"] = trial.mean;
  json["folds"] = trial.scores;
  if (!trial.thresholds.empty()) json["thresholds"] = thresholds_json(trial.thresholds);
  return json;
}

Json tuning_json(const Tuning& tuning, const Method& method, const Dataset& data) {
  Json trials = Json::array();
  for (const Trial& trial : tuning.trials) trials.push_back(trial_json(trial));
  return Json{{"method", method.name()},        {"metric", to_string(tuning.metric)},
              {"labels", data.labels()},        {"labels_from", data.labels_from},
              {"complete", tuning.is_complete}, {"best", trial_json(tuning.best_trial())},
              {"trials", std::move(trials)}};
}

/// Bits rather than digits, so that NaN is preserved, too.
Json bits_of(const std::vector<double>& numbers) {
  Json bits = Json::array();
  for (const double number : numbers) bits.push_back(std::bit_cast<std::uint64_t>(number));
  return bits;
}
std::vector<double> numbers_of(const Json& bits) {
  std::vector<double> numbers;
  for (const auto& entry : bits)
    numbers.push_back(std::bit_cast<double>(entry.get<std::uint64_t>()));
  return numbers;
}

/// The trials of a rank, for the others.
std::string packed(const std::vector<Trial>& trials, const std::vector<char>& tried) {
  std::string lines;
  for (std::size_t k = 0; k < trials.size(); ++k) {
    if (!tried[k]) continue;
    const Trial& trial = trials[k];
    Json metrics = Json::object();
    for (const auto& [metric, value] : trial.metrics) metrics[to_string(metric)] = bits_of({value});
    lines += Json{{"setting", k},
                  {"scores", bits_of(trial.scores)},
                  {"mean", bits_of({trial.mean})},
                  {"parts", trial.parts},
                  {"thresholds", bits_of(trial.thresholds)},
                  {"failure", trial.failure},
                  {"metrics", metrics}}
                 .dump() +
             "\n";
  }
  return lines;
}

void unpack(const std::string& lines, std::vector<Trial>& trials) {
  std::istringstream in(lines);
  in.exceptions(std::ios::badbit);  // rethrows bad_alloc
  for (std::string line; std::getline(in, line);) {
    const Json json = Json::parse(line);
    Trial& trial = trials.at(json["setting"].get<std::size_t>());
    trial.scores = numbers_of(json["scores"]);
    trial.mean = numbers_of(json["mean"]).front();
    trial.parts = json["parts"].get<Index>();
    trial.thresholds = numbers_of(json["thresholds"]);
    trial.failure = json["failure"].get<std::string>();
    for (const auto& [name, bits] : json["metrics"].items()) {
      trial.metrics[metric_named(name)] = numbers_of(bits).front();
    }
  }
}

/// The ranks of mpirun as peers in tuning.
TuningPeers peers_of(const Ranks& ranks) {
  return {.number = as_size(ranks.rank()),
          .count = as_size(ranks.size()),
          .exchange = [&ranks](std::vector<Trial>& trials, const std::vector<char>& tried) {
            std::string all;
            for (const auto& lines : ranks.collect(packed(trials, tried))) all += lines;
            unpack(ranks.share(all), trials);
          }};
}

/// Prints the results of an interrupted run as the table of a finished one.
void print_unfinished(const TuneCommand& arguments, const Tuning& so_far,
                      const TuneOptions& options, const Session& session) {
  if (so_far.trials.empty()) return;
  if (!session.json) session.print(trials_text(so_far, options));
  session.note(fmt::format("interrupted: {} settings were tried on {} of {} inner parts{}",
                           so_far.trials.size(), so_far.parts, options.inner.folds,
                           arguments.table.empty() ? "" : "; " + arguments.table + " has them"));
}

void run_tune(const TuneCommand& arguments, const CLI::App& command, Session& session) {
  declare_reads(arguments.data, session);
  declare_reads(arguments.method, session);
  session.files.writes(arguments.model, "--output");
  session.files.writes(arguments.table, "--table");
  TuneOptions options = chosen_tuning(arguments.tuning, arguments.method, command, session);
  const TuningPeers peers = peers_of(session.ranks);
  if (session.ranks.are_launched()) options.peers = &peers;
  const Method& method = method_named(arguments.method.method);
  for (const auto& path : {arguments.model, arguments.table}) {
    if (path.empty()) continue;
    const AtomicFile writable(path);
  }
  const Dataset data = read_data(arguments.data, session);
  Tuning so_far;

  const CooperativeInterrupts cooperative;
  Tuning tuning;
  try {
    ShownProgress progress("tuning", !session.quiet && session.ranks.is_first());
    if (!session.ranks.are_launched()) {
      options.keep = [&](const Tuning& kept) {
        so_far = kept;
        show_leader(so_far, progress);
        if (!arguments.table.empty()) write_trials(arguments.table, so_far, options);
      };
    }
    tuning = tune(data, method, options, &progress);
  } catch (const InterruptedError&) {
    print_unfinished(arguments, so_far, options, session);
    throw;
  }
  if (!session.ranks.is_first()) return;  // the rest has one result
  if (!arguments.table.empty()) write_trials(arguments.table, tuning, options);
  if (!arguments.model.empty()) {
    ShownProgress progress("training", !session.quiet);
    const Model model = fit_as_tried(data, method, tuning.best_trial(), options, &progress);
    for (const auto& warning : model.contents().report.warnings) session.warn(warning);
    if (interrupted()) throw InterruptedError("training was interrupted at its end");
    model.save(arguments.model);
    tell_decisions(model, options, session);
  }
  if (!tuning.is_complete) session.note(out_of_time_text(tuning));
  if (session.json) return session.print_json(tuning_json(tuning, method, data));
  session.print(trials_text(tuning, options));
  if (tuning.trials.size() > kShown) {
    session.note(
        fmt::format("{} settings were tried; --table FILE keeps all of them, --json prints "
                    "them",
                    tuning.trials.size()));
  }
  if (!arguments.model.empty()) session.note(fmt::format("model: {}", arguments.model));
}

}  // namespace

void add_tune(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<TuneCommand>();
  CLI::App* command = app.add_subcommand(
      "tune", "Choose the options and thresholds of a method by inner folds of a data file");
  add_data_arguments(*command, arguments->data);
  add_method_choice(*command, arguments->method);
  add_method_options(*command, arguments->method, methods());
  add_tune_options(*command, arguments->tuning);
  add_calibrate_option(*command, arguments->tuning);
  add_value(*command, "-o,--output", arguments->model, "FILE",
            "Train the best setting on all of the data, and write the model to this file");
  add_value(*command, "--table", arguments->table, "FILE",
            "Write all settings and scores to this CSV file");
  add_threads_option(*command, session);
  add_session_options(*command, session);
  add_examples(*command,
               "  mugrad tune emotions.arff\n"
               "  mugrad tune emotions.arff --rho 0.01,0.1,1 --sigma 0,0.3 -o emotions.mugrad\n"
               "  mugrad tune topics.csv --method llsf --sparsity 0.01..10 --relation 0.01..10 "
               "--draws 20\n\n"
               "It tries every value of a list, and random values of a range LOW..HIGH. Without\n"
               "either, it searches the usual options of the method.");
  command->callback([arguments, command, &session] { run_tune(*arguments, *command, session); });
}

}  // namespace mugrad::cli

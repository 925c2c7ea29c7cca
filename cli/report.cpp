// SPDX-License-Identifier: MIT
#include "choices.h"
#include "commands.h"
#include "core/atomic_file.h"
#include "core/mapped_file.h"

#include <mugrad/core/error.h>
#include <mugrad/report/comparison.h>
#include <mugrad/report/page.h>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ctime>

namespace mugrad::cli {
namespace {

struct ReportArguments {
  std::vector<std::string> inputs;
  std::string output;
  std::string format;
  std::string title;
  std::string published;
  std::vector<std::string> metrics;
  ComparisonOptions comparison;
};

bool is_metric(const std::string& name) {
  try {
    metric_named(name);
    return true;
  } catch (const UsageError&) {
    return false;
  }
}

enum class Kind { results, study, model };

/// By the beginning of the file.
Kind kind_of(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) {
    throw InputError(fmt::format("{} does not exist", path.string()));
  }
  if (looks_like_model(path)) return Kind::model;
  const MappedFile file(path);
  const auto start = file.while_whole([&] { return std::string(file.bytes().substr(0, 256)); });
  if (start.find("\"mugrad-results\"") != std::string::npos) return Kind::results;
  if (start.find("\"mugrad-study\"") != std::string::npos) return Kind::study;
  throw InputError(fmt::format("{} is neither results of mugrad compare, nor a study, nor a model",
                               path.string()));
}

ReportContents contents_of(const ReportArguments& arguments) {
  ReportContents contents;
  std::vector<Results> results;
  for (const auto& input : arguments.inputs) {
    switch (kind_of(input)) {
      case Kind::results:
        results.push_back(read_results(input));
        break;
      case Kind::study:
        add_study(input, contents);
        break;
      case Kind::model:
        if (contents.model) throw UsageError("a report can show only one model, got several");
        contents.model = Model::load(input);
        contents.model_name = std::filesystem::path(input).filename().string();
        break;
    }
  }
  for (const auto& name : arguments.metrics) {
    const auto has_it = [&](const Record& of) { return of.metrics.contains(metric_named(name)); };
    const auto none_has = [&](const Results& file) {
      return std::ranges::none_of(file.records, has_it);
    };
    if (!results.empty() && std::ranges::all_of(results, none_has))
      throw UsageError(fmt::format("no results have the metric '{}'", name));
  }
  if (!results.empty()) contents.comparison = compare_results(results, arguments.comparison);
  if (!arguments.published.empty()) contents.published = read_published(arguments.published);
  if (!arguments.title.empty()) contents.title = arguments.title;
  contents.created = fmt::format("{:%Y-%m-%d}", fmt::localtime(std::time(nullptr)));
  return contents;
}

struct ReportFormat {
  std::string name;
  std::vector<std::string> endings;
};

const std::vector<ReportFormat>& report_formats() {
  static const std::vector<ReportFormat> all = {{"html", {".html", ".htm"}}, {"json", {".json"}},
                                                {"markdown", {".md"}},       {"csv", {".csv"}},
                                                {"latex", {".tex"}},         {"text", {".txt"}}};
  return all;
}

/// The names of all formats.
std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const auto& format : report_formats()) names.push_back(format.name);
  return names;
}

/// The endings that files usually have: one of each format.
std::vector<std::string> usual_endings() {
  std::vector<std::string> endings;
  for (const auto& format : report_formats()) endings.push_back(format.endings.front());
  return endings;
}

/// The name of a format. Throws UsageError if the file name does not determine it.
std::string report_format(const ReportArguments& arguments, const Session& session) {
  if (session.json) return "json";
  if (!arguments.format.empty()) return arguments.format;
  if (arguments.output.empty()) return "text";
  const auto ending = std::filesystem::path(arguments.output).extension().string();
  std::vector<std::string> known;
  for (const auto& format : report_formats()) {
    if (std::ranges::find(format.endings, ending) != format.endings.end()) return format.name;
    known.insert(known.end(), format.endings.begin(), format.endings.end());
  }
  throw UsageError(
      fmt::format("the format of {} is unknown: end its name in one of {}, or use --format",
                  arguments.output, fmt::join(known, ", ")));
}

std::string report_text(const ReportArguments& arguments, const std::string& format) {
  const bool is_table = format != "json" && format != "html";
  const auto table = is_table ? table_format_named(format) : TableFormat::text;
  const ReportContents contents = contents_of(arguments);
  if (format == "json") return report_document(contents) + "\n";
  if (format == "html") return report_page(contents);
  if (!contents.comparison) {
    throw UsageError("there are no results to tabulate: write a page, as in -o report.html");
  }
  return format_tables(*contents.comparison, table);
}

void run_report(const ReportArguments& arguments, Session& session) {
  for (const auto& input : arguments.inputs) session.files.reads(input, "an input");
  session.files.reads(arguments.published, "--published");
  session.files.writes(arguments.output, "--output");
  const std::string text = report_text(arguments, report_format(arguments, session));
  if (arguments.output.empty()) {
    session.print(text);
    return;
  }
  write_file(arguments.output, text);
  session.note(fmt::format("report: {}", arguments.output));
}

}  // namespace

void add_report(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<ReportArguments>();
  CLI::App* command = app.add_subcommand(
      "report", "Write tables, statistics or a page from results, studies and a model");
  add_value(*command, "inputs", arguments->inputs, "FILE",
            "Results of mugrad compare, studies of mugrad study, a model file")
      ->required();
  add_value(*command, "-o,--output", arguments->output, "FILE",
            fmt::format("File to write, in the format of its extension: {} [default: print text]",
                        fmt::join(usual_endings(), " ")));
  add_value(*command, "--format", arguments->format, "NAME",
            fmt::format("{}", fmt::join(format_names(), ", ")))
      ->check(CLI::IsMember(format_names()));
  auto* metrics = add_list(*command, "--metrics", arguments->metrics, "NAMES",
                           "Metrics to show, one table each, separated by commas or spaces");
  suggest(metrics, metric_choices());
  suggest(add_value(*command, "--control", arguments->comparison.control, "NAME",
                    "The method that others are compared with [default: the first]"),
          method_choices());
  add_default(*command, "--alpha", arguments->comparison.alpha, "Significance level")
      ->check(CLI::Range(1e-6, 0.5));
  command->add_flag("--allow-different-options", arguments->comparison.different_options,
                    "Combine files in which a method of one name has different options");
  add_value(*command, "--published", arguments->published, "FILE",
            "JSON file with published figures to show beside the results");
  add_value(*command, "--title", arguments->title, "TEXT", "Heading of the page");
  add_session_options(*command, session);
  add_examples(*command,
               "  mugrad report results.jsonl\n"
               "  mugrad report results.jsonl curve.json map.json emotions.mugrad -o report.html\n"
               "  mugrad report results.jsonl --control br -o table.tex");
  command->callback([arguments, metrics, &session] {
    if (metrics->count() > 0) {
      take_names(arguments->inputs, arguments->metrics, is_metric);
      arguments->comparison.metrics.clear();
      for (const auto& name : arguments->metrics) {
        arguments->comparison.metrics.push_back(metric_named(name));
      }
      if (arguments->inputs.empty()) throw UsageError("name at least one file: FILE");
    }
    run_report(*arguments, session);
  });
}

}  // namespace mugrad::cli

// SPDX-License-Identifier: MIT
#include "commands.h"
#include "name_list.h"

#include <mugrad/core/atomic_file.h>
#include <mugrad/core/error.h>
#include <mugrad/core/mapped_file.h>
#include <mugrad/report/page.h>
#include <mugrad/report/tables.h>

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

/// By how the file starts.
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

struct Ending {
  std::string_view ending, format;
};
constexpr Ending kEndings[] = {{".html", "html"},   {".htm", "html"}, {".json", "json"},
                               {".md", "markdown"}, {".csv", "csv"},  {".tex", "latex"},
                               {".txt", "text"}};

/// The name of a format. Throws UsageError when the file's name says none.
std::string report_format(const ReportArguments& arguments, const Session& session) {
  if (session.json) return "json";
  if (!arguments.format.empty()) return arguments.format;
  if (arguments.output.empty()) return "text";
  const auto ending = std::filesystem::path(arguments.output).extension().string();
  std::vector<std::string_view> known;
  for (const auto& entry : kEndings) {
    if (ending == entry.ending) return std::string(entry.format);
    known.push_back(entry.ending);
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
  AtomicFile file(arguments.output);
  file.write(text);
  file.commit();
  session.note(fmt::format("report: {}", arguments.output));
}

}  // namespace

void add_report(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<ReportArguments>();
  CLI::App* command = app.add_subcommand(
      "report", "Write tables, statistics or a page from results, studies and a model");
  command
      ->add_option("inputs", arguments->inputs,
                   "Results of mugrad compare, studies of mugrad study, a model file")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("-o,--output", arguments->output,
                   "File to write, in the format of its extension: .html .json .md .csv .tex .txt "
                   "[default: print text]")
      ->type_name("FILE");
  command->add_option("--format", arguments->format, "html, json, text, markdown, csv or latex")
      ->check(CLI::IsMember({"html", "json", "text", "markdown", "csv", "latex"}))
      ->type_name("NAME");
  auto* metrics = command
                      ->add_option("--metrics", arguments->metrics,
                                   "Metrics to show, one table each, separated by commas or spaces")
                      ->delimiter(',')
                      ->allow_extra_args(false)
                      ->type_name("NAMES");
  command
      ->add_option("--control", arguments->comparison.control,
                   "The method that others are compared with [default: the first]")
      ->type_name("NAME");
  command->add_option("--alpha", arguments->comparison.alpha, "Significance level")
      ->check(CLI::Range(1e-6, 0.5))
      ->capture_default_str();
  command->add_flag("--allow-different-options", arguments->comparison.different_options,
                    "Combine files in which a method of one name has different options");
  command
      ->add_option("--published", arguments->published,
                   "JSON file with published figures to show beside the results")
      ->type_name("FILE");
  command->add_option("--title", arguments->title, "Heading of the page")->type_name("TEXT");
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

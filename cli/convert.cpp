// SPDX-License-Identifier: MIT
#include "choices.h"
#include "commands.h"
#include "data_arguments.h"

#include <fmt/format.h>

namespace mugrad::cli {
namespace {

struct ConvertArguments {
  DataArguments data;
  std::string output;
  std::string to;
};

void run_convert(const ConvertArguments& arguments, Session& session) {
  std::optional<Format> format;
  if (!arguments.to.empty()) format = format_named(arguments.to);
  declare_reads(arguments.data, session);
  declare_writes(arguments.output, format, "the output", session);
  const Dataset data = read_data(arguments.data, session);
  const auto files = write_dataset(data, arguments.output, format);
  Json names = Json::array();
  for (const auto& file : files) names.push_back(file.string());
  if (session.json) {
    session.print_json(Json{{"files", names},
                            {"examples", data.rows()},
                            {"features", data.features()},
                            {"labels", data.labels()},
                            {"labels_from", data.labels_from}});
    return;
  }
  for (const auto& file : files) session.print(fmt::format("{}\n", file.string()));
  if (!info_of(format_to_write(arguments.output, format)).declares_labels && data.labels() > 0) {
    session.note(
        fmt::format("to read it back, declare the last columns as labels: "
                    "--label-count -{}",
                    data.labels()));
  }
}

}  // namespace

void add_convert(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<ConvertArguments>();
  CLI::App* command =
      app.add_subcommand("convert", "Convert between " + format_list(&FormatInfo::title, "and"));
  arguments->data.keeps_missing = true;
  add_data_arguments(*command, arguments->data);
  add_value(*command, "output", arguments->output, "OUTPUT",
            "File to write, in the format of its extension: " + format_endings())
      ->required();
  suggest(add_value(*command, "--to", arguments->to, "NAME",
                    format_list(&FormatInfo::name) + "; overrides the extension"),
          format_choices());
  add_session_options(*command, session);
  add_examples(*command,
               "  mugrad convert emotions.arff emotions.csv\n"
               "  mugrad convert emotions.csv emotions.libsvm --label-count -6");
  command->callback([arguments, &session] { run_convert(*arguments, session); });
}

}  // namespace mugrad::cli

// SPDX-License-Identifier: MIT
#include "choices.h"
#include "commands.h"
#include "process.h"
#include "progress.h"
#include "report/text_table.h"

#include <mugrad/core/error.h>
#include <mugrad/data/catalog.h>
#include <mugrad/fetch/fetch.h>

#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace mugrad::cli {
namespace {

struct FetchArguments {
  std::vector<std::string> names;
  bool all = false;
  std::string from;
  std::string folder;
};

std::vector<const CatalogEntry*> wanted(const FetchArguments& arguments) {
  std::vector<const CatalogEntry*> entries;
  if (arguments.all) {
    for (const auto& entry : catalog()) entries.push_back(&entry);
    return entries;
  }
  for (const auto& name : arguments.names) {
    const CatalogEntry* entry = find_in_catalog(name);
    if (entry == nullptr) {
      std::vector<std::string_view> known;
      for (const CatalogEntry& each : catalog()) known.push_back(each.name);
      throw UsageError(
          fmt::format("there is no data set '{}': choose from {}", name, fmt::join(known, ", ")));
    }
    if (std::ranges::find(entries, entry) == entries.end()) entries.push_back(entry);
  }
  return entries;
}

void list_catalog(Session& session) {
  Json document = Json::array();
  TextTable table({"name", "about", "on this machine"});
  for (const auto& entry : catalog()) {
    const auto local = find_local(entry);
    document.push_back({{"name", entry.name},
                        {"about", entry.about},
                        {"path", local ? Json(local->string()) : Json(nullptr)}});
    table.add({std::string(entry.name), std::string(entry.about), local ? local->string() : "no"});
  }
  session.json ? session.print_json(document) : session.print(table.text());
}

#ifdef MUGRAD_WITH_FETCH

std::filesystem::path download(const CatalogEntry& entry, const FetchArguments& arguments,
                               const Session& session) {
  ProgressLine line(fmt::format("fetching {}", entry.name), !session.quiet);
  return fetch(entry,
               {.from = arguments.from,
                .folder = arguments.folder,
                .progress = [&](std::string_view, std::int64_t received, std::int64_t total) {
                  const double share =
                      total > 0 ? static_cast<double>(received) / static_cast<double>(total) : 0;
                  line.update(share, fmt::format("{} KB", received / 1000));
                  return !interrupted();
                }});
}

#else

std::filesystem::path download(const CatalogEntry& entry, const FetchArguments&, const Session&) {
  throw UsageError(fmt::format(
      "this program was built without libcurl and OpenSSL and fetches nothing: put {name}/{} and "
      "{name}/{} into the folder that MUGRAD_DATA names",
      entry.data.local, entry.labels.local, fmt::arg("name", entry.name)));
}

#endif

void run_fetch(const FetchArguments& arguments, Session& session) {
  const auto entries = wanted(arguments);
  if (entries.empty()) {
    list_catalog(session);
    return;
  }
  for (const CatalogEntry* entry : entries) {
    const auto folder = std::filesystem::path(arguments.folder.empty() ? cache_folder().string()
                                                                       : arguments.folder) /
                        entry->name;
    for (const auto& file : {entry->data, entry->labels}) {
      session.files.writes(folder / file.local, entry->name);
    }
  }
  const CooperativeInterrupts cooperative;
  Json paths = Json::object();
  for (const CatalogEntry* entry : entries) {
    const auto path = download(*entry, arguments, session);
    paths[std::string(entry->name)] = path.string();
    if (!session.json) session.print(fmt::format("{}\n", path.string()));
  }
  if (session.json) session.print_json(paths);
}

}  // namespace

void add_fetch(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<FetchArguments>();
  CLI::App* command =
      app.add_subcommand("fetch", "Fetch public data sets; without a name, list them");
  auto* names = command->add_option("names", arguments->names, "Data sets to fetch");
  suggest(names->type_name("NAME"), catalog_choices());
  command->add_flag("--all", arguments->all, "Fetch all of them")->excludes(names);
  add_value(*command, "--from", arguments->from, "URL", "Base URL of a mirror");
  add_value(*command, "-o,--output", arguments->folder, "DIR",
            "Folder to keep them in [default: the user's cache]");
  add_session_options(*command, session);
  add_examples(*command,
               "  mugrad fetch\n"
               "  mugrad fetch emotions && mugrad train emotions");
  command->callback([arguments, &session] { run_fetch(*arguments, session); });
}

}  // namespace mugrad::cli

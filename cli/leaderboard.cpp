// SPDX-License-Identifier: MIT
#include "leaderboard.h"

#include "progress.h"
#include "report/text_table.h"
#include "tune_arguments.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace mugrad::cli {
namespace {

Standing tried(const Dataset& data, const Method& method, TuneOptions options,
               const Session& session) {
  Standing standing{.method = &method};
  if (options.is_out_of_time && options.is_out_of_time()) {
    standing.failure = "time was up";
    return standing;
  }
  options.search = search_of(method.traits(), {});
  ShownProgress progress(fmt::format("tuning {}", method.name()), !session.quiet);
  options.keep = [&](const Tuning& so_far) { show_leader(so_far, progress); };
  try {
    standing.tuning = tune(data, method, options, &progress);
    if (std::isnan(standing.value())) standing.failure = "time was up";
  } catch (const InterruptedError&) {
    throw;
  } catch (const Error& error) {
    standing.failure = error.what();
  }
  return standing;
}

}  // namespace

double Standing::value() const {
  return tuning ? tuning->best_trial().mean : std::numeric_limits<double>::quiet_NaN();
}

std::vector<const Method*> methods_named(const std::string& names) {
  const auto all = methods();
  if (names == "all") return {all.begin(), all.end()};
  std::vector<const Method*> chosen;
  std::istringstream in(names);
  in.exceptions(std::ios::badbit);  // rethrows bad_alloc
  for (std::string name; std::getline(in, name, ',');) {
    const Method* const method = &method_named(name);
    if (std::ranges::count(chosen, method) == 0) chosen.push_back(method);
  }
  return chosen;
}

std::vector<Standing> leaderboard(const Dataset& data, const std::vector<const Method*>& methods,
                                  const TuneOptions& options, const Session& session) {
  std::vector<Standing> standings;
  standings.reserve(methods.size());
  for (const Method* const method : methods) {
    standings.push_back(tried(data, *method, options, session));
  }
  const double sign = larger_is_better(options.metric) ? 1 : -1;
  std::ranges::stable_sort(standings, [&](const Standing& a, const Standing& b) {
    if (std::isnan(a.value()) || std::isnan(b.value())) return !std::isnan(a.value());
    return sign * a.value() > sign * b.value();
  });
  if (std::isnan(standings.front().value())) {
    throw InputError(fmt::format("no method could be tried; {}: {}",
                                 standings.front().method->name(), standings.front().failure));
  }
  return standings;
}

std::string leaderboard_text(const std::vector<Standing>& standings, const Metric& metric) {
  TextTable table({"method", to_string(metric) + " on inner folds", "settings", "best"});
  for (const auto& standing : standings) {
    const std::string name(standing.method->name());
    if (!standing.failure.empty()) {
      table.add({name, "-", "", standing.failure});
      continue;
    }
    table.add({name, fmt::format("{:.4f}", standing.value()),
               fmt::format("{}", standing.tuning->trials.size()),
               settings_text(standing.tuning->best_trial().values)});
  }
  return table.text();
}

Json leaderboard_json(const std::vector<Standing>& standings) {
  Json json = Json::array();
  for (const auto& standing : standings) {
    Json entry = {{"method", standing.method->name()}};
    if (standing.failure.empty()) {
      entry["mean"] = standing.value();
      entry["settings"] = standing.tuning->trials.size();
      entry["options"] = standing.tuning->best_trial().values;
      entry["complete"] = standing.tuning->is_complete;
    } else {
      entry["failure"] = standing.failure;
    }
    json.push_back(std::move(entry));
  }
  return json;
}

}  // namespace mugrad::cli

// SPDX-License-Identifier: MIT
#include "method/mgd/path_methods.h"

#include <mugrad/method/mgd_path.h>

#include <algorithm>
#include <array>
#include <map>

namespace mugrad {
namespace {

/// Settings that are the same but for these options; those of the plain iteration alone, since that
/// may be asked for a number of steps from a given start.
std::vector<std::vector<std::size_t>> alike_but_for(std::span<const std::string_view> free,
                                                    std::span<const OptionValues> settings) {
  std::map<OptionValues, std::vector<std::size_t>> groups;
  for (std::size_t k = 0; k < settings.size(); ++k) {
    OptionValues rest = settings[k];
    if (const auto solver = rest.find("solver");
        solver != rest.end() && solver->second == "plain") {
      groups[rest].push_back(k);
      continue;
    }
    for (const auto name : free) {
      if (const auto entry = rest.find(name); entry != rest.end()) rest.erase(entry);
    }
    groups[rest].push_back(k);
  }
  std::vector<std::vector<std::size_t>> found;
  found.reserve(groups.size());
  for (auto& [rest, members] : groups) found.push_back(std::move(members));
  // In the order of the settings, not of their texts.
  std::ranges::sort(found);
  return found;
}

/// Follows the path through settings that differ in rho and sigma alone. `finish` makes the model
/// of a setting of what MGD found.
template <class Finish>
void follow_path(const Dataset& data, std::span<const MgdOptions> group, Progress* progress,
                 const ModelVisitor& visit, const Finish& finish) {
  std::vector<MgdSetting> settings;
  for (const auto& options : group) settings.push_back({options.rho, options.sigma});
  std::vector<bool> is_done(group.size());
  fit_path(
      data, group.front(), settings,
      [&](const MgdSetting& setting, const Model& model) {
        for (std::size_t k = 0; k < settings.size(); ++k) {
          if (is_done[k] || settings[k] != setting) continue;
          is_done[k] = true;
          visit(k, finish(k, model));
          break;
        }
        return true;
      },
      progress);
}

}  // namespace

std::vector<std::vector<std::size_t>> MgdMethod::groups(
    std::span<const OptionValues> settings) const {
  constexpr std::array<std::string_view, 2> kFree = {"rho", "sigma"};
  return alike_but_for(kFree, settings);
}

void MgdMethod::fit_each(const Dataset& data, std::span<const OptionValues> group, Threads threads,
                         Progress* progress, const ModelVisitor& visit) const {
  std::vector<MgdOptions> options;
  for (const auto& values : group) {
    options.push_back(options_of<MgdOptions>(name(), values));
    options.back().threads = threads;
  }
  if (group.size() == 1) return Method::fit_each(data, group, threads, progress, visit);
  follow_path(data, options, progress, visit,
              [](std::size_t, const Model& model) -> const Model& { return model; });
}

std::vector<std::vector<std::size_t>> BrMethod::groups(
    std::span<const OptionValues> settings) const {
  constexpr std::array<std::string_view, 1> kFree = {"rho"};
  return alike_but_for(kFree, settings);
}

void BrMethod::fit_each(const Dataset& data, std::span<const OptionValues> group, Threads threads,
                        Progress* progress, const ModelVisitor& visit) const {
  std::vector<BrOptions> options;
  std::vector<MgdOptions> mgd;
  for (const auto& values : group) {
    options.push_back(options_of<BrOptions>(name(), values));
    options.back().threads = threads;
    mgd.push_back(as_mgd(options.back(), data.total_weight()));
  }
  follow_path(data, mgd, progress, visit,
              [&](std::size_t k, const Model& model) { return as_br(model, options[k]); });
}

const Method& mgd_method() {
  static const MgdMethod method(
      "mgd", "multi-task gradient descent: labels borrow from each other",
      {.takes_row_weights = true,
       .takes_unknown_labels = true,
       .has_iterates = true,
       .has_relations = true,
       .runs_on_ranks = true,
       .trial_tolerance = kTrialTolerance,
       .usual_search = {{"transfer", {"pearson"}},
                        {"neighbours", {"3", "10"}},
                        {"rho", {"0.001", "0.003", "0.01", "0.03", "0.1", "0.3", "1"}},
                        {"sigma", {"0", "0.03", "0.1", "0.3", "1", "3"}}},
       .presets = {{"paper",
                    "what the paper ran, alpha 0.02, 1000 plain iterations from zero, z-scores, "
                    "intercepts transferred",
                    paper_preset()}}});
  return method;
}

const Method& br_method() {
  static const BrMethod method(
      "br", "binary relevance: a logistic regression per label",
      {.takes_row_weights = true,
       .takes_unknown_labels = true,
       .has_iterates = true,
       .trial_tolerance = kTrialTolerance,
       .usual_search = {{"rho", {"0.001", "0.003", "0.01", "0.03", "0.1", "0.3", "1"}}}});
  return method;
}

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#include "method/common/method_of.h"
#include "method/mgd/mgd_options.h"

#include <algorithm>
#include <initializer_list>
#include <map>

namespace mugrad {
namespace {

/// One range serves all representations, because unit rows have a length that makes it do so.
Dimension usual_rho() {
  return {"rho", {"0.0001", "0.0003", "0.001", "0.003", "0.01", "0.03", "0.1", "0.3", "1"}};
}

/// Transfer also regularises, so the best rho is rarely larger than for labels trained alone, and
/// often smaller.
Dimension rho_with_transfer() {
  Dimension rho = usual_rho();
  rho.near_best = {.before = 2, .after = 1};
  return rho;
}

/// Those that do not suit the data are left out; see suits.
std::vector<OptionValues> usual_representations() {
  return {{{"representation", "zscore"}, {"text-weight", "1"}},
          {{"representation", "zscore"}, {"text-weight", "0.2"}},
          {{"representation", "zscore"}, {"text-weight", "5"}},
          {{"representation", "none"}},
          {{"representation", "unit"}},
          {{"representation", "tfidf"}},
          {{"representation", "gaussian"}, {"width", "1"}},
          {{"representation", "gaussian"}, {"width", "0.3"}}};
}

/// Settings that are the same but for these options; those of the plain iteration alone, since that
/// may be asked for a number of steps from a given start.
std::vector<std::vector<std::size_t>> alike_but_for(std::initializer_list<std::string_view> free,
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

/// Follows the path through settings that differ only in rho and sigma. `finish` turns the model of
/// MGD into that of the setting.
template <class Finish>
void follow_path(const Dataset& data, std::span<const MgdOptions> group, Progress* progress,
                 const ModelVisitor& visit, const Finish& finish) {
  std::vector<MgdSetting> settings;
  for (const auto& options : group) {
    settings.push_back({options.rho, transfer_strength(options)});
  }
  std::vector<bool> is_done(group.size());
  fit_path(
      data, group.front(), settings,
      [&](const MgdSetting& setting, const Model& model) {
        for (std::size_t k = 0; k < settings.size(); ++k) {
          if (is_done[k] || settings[k] != setting) continue;
          is_done[k] = true;
          return visit(k, finish(k, model));
        }
        return true;
      },
      progress);
}

/// The model of a setting on a path: a path knows the strength alone, however it was given.
Model as_given(const Model& model, const MgdOptions& options) {
  ModelContents contents = model.contents();
  contents.options = as_text(options);
  return Model(std::move(contents));
}

/// Settings that differ in rho and the strength of transfer alone are trained along a path.
class MgdMethod final : public MethodOf<MgdOptions> {
 public:
  using MethodOf::MethodOf;

  std::vector<std::vector<std::size_t>> groups(
      std::span<const OptionValues> settings) const override {
    return alike_but_for({"rho", "sigma", "sigma-ratio"}, settings);
  }

  void fit_each(const Dataset& data, std::span<const OptionValues> group, Threads threads,
                Progress* progress, const ModelVisitor& visit) const override {
    std::vector<MgdOptions> options;
    for (const auto& values : group) {
      options.push_back(options_of<MgdOptions>(name(), values));
      options.back().threads = threads;
    }
    if (group.size() == 1) return Method::fit_each(data, group, threads, progress, visit);
    follow_path(data, options, progress, visit,
                [&](std::size_t k, const Model& model) { return as_given(model, options[k]); });
  }
};

/// Settings that differ in rho alone are trained along a path.
class BrMethod final : public MethodOf<BrOptions> {
 public:
  using MethodOf::MethodOf;

  std::vector<std::vector<std::size_t>> groups(
      std::span<const OptionValues> settings) const override {
    return alike_but_for({"rho"}, settings);
  }

  void fit_each(const Dataset& data, std::span<const OptionValues> group, Threads threads,
                Progress* progress, const ModelVisitor& visit) const override {
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
};

}  // namespace

const Method& mgd_method() {
  static const MgdMethod method(
      "mgd", "multi-task gradient descent: labels borrow from each other",
      {.takes_row_weights = true,
       .takes_unknown_labels = true,
       .has_iterates = true,
       .has_relations = true,
       .runs_on_ranks = true,
       .trial_tolerance = kTrialTolerance,
       .usual_search = {{.fixed = {{"sigma-ratio", "0"}},
                         .alternatives = usual_representations(),
                         .space = {usual_rho()}},
                        {.fixed = {{"transfer", "weights"}},
                         .space = {rho_with_transfer(), {"sigma-ratio", {"0.3", "1", "3", "10"}}}}},
       .instead_of = {{"sigma-ratio", "sigma"}},
       .presets = {
           {"paper",
            "the settings of the paper: alpha 0.02, 1000 plain iterations from zero, z-scores, "
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
       .usual_search = {{.alternatives = usual_representations(), .space = {usual_rho()}}}});
  return method;
}

}  // namespace mugrad

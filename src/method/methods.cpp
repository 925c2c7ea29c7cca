// SPDX-License-Identifier: MIT
#include "core/printable.h"
#include "core/stages.h"

#include <mugrad/core/error.h>
#include <mugrad/method/method.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace mugrad {

// Each method is defined in its own file, with its traits.
const Method& mgd_method();
const Method& br_method();
const Method& cc_method();
const Method& ecc_method();
const Method& lp_method();
const Method& rakel_method();
const Method& clr_method();
const Method& lift_method();
const Method& llsf_method();
const Method& llsf_dl_method();
const Method& jfsc_method();
const Method& camel_method();
const Method& mlknn_method();

namespace {

/// In the order of presentation.
constexpr const Method& (*kDefinitions[])() = {
    mgd_method,  br_method,   cc_method,      ecc_method,  lp_method,    rakel_method, clr_method,
    lift_method, llsf_method, llsf_dl_method, jfsc_method, camel_method, mlknn_method};

/// "paper (mgd)".
std::string all_presets() {
  std::string all;
  for (const Method* const method : methods()) {
    for (const Preset& preset : method->traits().presets) {
      all += fmt::format("{}{} ({})", all.empty() ? "" : ", ", preset.name, method->name());
    }
  }
  return all;
}

}  // namespace

std::span<const Method* const> methods() {
  static const auto all = [] {
    std::array<const Method*, std::size(kDefinitions)> found{};
    std::ranges::transform(kDefinitions, found.begin(), [](auto define) { return &define(); });
    return found;
  }();
  return all;
}

const Method& method_named(std::string_view name) {
  std::string known;
  for (const Method* const method : methods()) {
    if (method->name() == name) return *method;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", method->name());
  }
  throw UsageError(fmt::format("there is no method '{}': choose one of {}", name, known));
}

std::string names_of_methods(const std::function<bool(const MethodTraits&)>& holds) {
  std::vector<std::string_view> names;
  for (const Method* const method : methods()) {
    if (holds(method->traits())) names.push_back(method->name());
  }
  return in_words(names, "and");
}

const Preset& preset_named(const Method& method, std::string_view name) {
  const auto has_it = [=](const MethodTraits& traits) {
    return std::ranges::find(traits.presets, name, &Preset::name) != traits.presets.end();
  };
  if (has_it(method.traits()))
    return *std::ranges::find(method.traits().presets, name, &Preset::name);
  const std::string owners = names_of_methods(has_it);
  if (owners.empty()) {
    throw UsageError(fmt::format("there is no preset '{}': choose from {}", name, all_presets()));
  }
  throw UsageError(
      fmt::format("the preset '{}' belongs to {}, not to {}", name, owners, method.name()));
}

bool Method::has_option(std::string_view option) const {
  return std::ranges::any_of(options(), [&](const OptionInfo& info) {
    return info.name == option || (!info.was.empty() && info.was == option);
  });
}

OptionValues Method::with_current_names(OptionValues values) const {
  for (const OptionInfo& info : options()) {
    if (info.was.empty() || values.contains(info.name)) continue;
    if (auto older = values.extract(info.was)) {
      older.key() = info.name;
      values.insert(std::move(older));
    }
  }
  return values;
}

std::vector<std::vector<std::size_t>> Method::groups(std::span<const OptionValues> settings) const {
  std::vector<std::vector<std::size_t>> alone(settings.size());
  for (std::size_t k = 0; k < settings.size(); ++k) alone[k] = {k};
  return alone;
}

void Method::fit_each(const Dataset& data, std::span<const OptionValues> group, Threads threads,
                      Progress* progress, const ModelVisitor& visit) const {
  Stages stages(progress);
  const Index all = std::ssize(group);
  for (std::size_t k = 0; k < group.size(); ++k) {
    stages.enter(share_of(as_index(k), all), share_of(as_index(k) + 1, all));
    if (!visit(k, fit(data, group[k], threads, &stages))) return;
  }
}

}  // namespace mugrad

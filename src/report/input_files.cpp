// SPDX-License-Identifier: MIT
// Further inputs of reports: studies and published figures.
#include "core/json.h"

#include <mugrad/core/error.h>
#include <mugrad/report/page.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace mugrad {
namespace {

/// Limit up to which JSON numbers are exact everywhere.
constexpr Index kMostCounted = Index{1} << 53;

Metric metric_from(const JsonField& field) {
  try {
    return metric_named(field.text());
  } catch (const UsageError&) {
    field.refuse("must be the name of a metric");
  }
}

/// A number or null for each iteration.
std::vector<double> curve_from(const JsonField& field, std::size_t iterations) {
  auto numbers = field.numbers_or_nulls();
  if (numbers.size() != iterations) {
    field.refuse(fmt::format("must list {} numbers, one per iteration", iterations));
  }
  return numbers;
}

ConvergenceStudy convergence_from(const JsonField& field) {
  ConvergenceStudy study{.metric = metric_from(field["metric"]),
                         .setting = field["setting"].text()};
  for (const auto& curve : field["curves"].items()) {
    auto iterations = curve["iterations"].whole_numbers(0, kMostCounted);
    const auto count = iterations.size();
    study.curves.push_back({.name = curve["name"].text(),
                            .iterations = std::move(iterations),
                            .total_loss = curve_from(curve["total_loss"], count),
                            .metric = curve_from(curve["metric"], count)});
  }
  return study;
}

/// The values of rho or sigma.
std::vector<double> grid_from(const JsonField& field) {
  auto grid = field.numbers();
  if (grid.empty() || !std::ranges::is_sorted(grid)) {
    field.refuse("must list at least one number, ascending");
  }
  return grid;
}

SensitivityStudy sensitivity_from(const JsonField& field) {
  SensitivityStudy study{.metric = metric_from(field["metric"]),
                         .rhos = grid_from(field["rhos"]),
                         .sigmas = grid_from(field["sigmas"])};
  const auto rows = field["values"].items();
  if (rows.size() != study.rhos.size()) {
    field["values"].refuse(fmt::format("must have a list for each of {} rhos", study.rhos.size()));
  }
  std::vector<std::vector<double>> values;
  for (const auto& row : rows) {
    values.push_back(row.numbers_or_nulls());
    if (values.back().size() == study.sigmas.size()) continue;
    row.refuse(fmt::format("must list a number for each of {} sigmas", study.sigmas.size()));
  }
  // Allocated after reading, so that a file cannot request more memory than its size.
  study.values = Matrix<double>(std::ssize(study.rhos), std::ssize(study.sigmas));
  for (std::size_t row = 0; row < values.size(); ++row) {
    std::ranges::copy(values[row], study.values.row(as_index(row)).begin());
  }
  return study;
}

}  // namespace

void add_study(const std::filesystem::path& path, ReportContents& contents) {
  const auto json = parse_json_file(path);
  const JsonField field(json, path.string() + ": ");
  if (field["mugrad-study"].whole_number(1, kMostCounted) != 1) {
    throw InputError(fmt::format("{} has a study of another version", path.string()));
  }
  if (field.has("convergence")) {
    const JsonField study = field["convergence"];
    contents.convergence.emplace_back(study["set"].text(), convergence_from(study));
  } else {
    const JsonField study = field["sensitivity"];
    contents.sensitivity.emplace_back(study["set"].text(), sensitivity_from(study));
  }
}

PublishedFigures read_published(const std::filesystem::path& path) {
  PublishedFigures figures;
  const auto json = parse_json_file(path);
  const JsonField field(json, path.string() + ": ");
  for (const auto& [metric, methods] : field["results"].members()) {
    for (const auto& [method, sets] : methods.members()) {
      for (const auto& [set, figure] : sets.members()) {
        PublishedFigure& here = figures[metric][method][set];
        here.mean = figure["mean"].number();
        if (figure.has("std")) here.deviation = figure["std"].number();
      }
    }
  }
  return figures;
}

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/experiment/study.h>
#include <mugrad/model/model.h>
#include <mugrad/report/comparison.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mugrad {

/// A published figure, for comparison; by metric, method and set.
struct PublishedFigure {
  double mean = 0;
  std::optional<double> deviation = {};
};
using PublishedFigures =
    std::map<std::string, std::map<std::string, std::map<std::string, PublishedFigure>>>;

/// Reads {"results": {METRIC: {METHOD: {SET: {"mean": x, "std": y}}}}}. Throws InputError.
PublishedFigures read_published(const std::filesystem::path& path);

/// The contents of a report; empty parts are omitted.
struct ReportContents {
  std::string title = "Comparison";
  std::string created = {};  ///< a date
  std::optional<Comparison> comparison = {};
  PublishedFigures published = {};  ///< methods are matched by name, ignoring case
  std::vector<std::pair<std::string, ConvergenceStudy>> convergence = {};  ///< with the set's name
  std::vector<std::pair<std::string, SensitivityStudy>> sensitivity = {};
  std::optional<Model> model = {};  ///< for its label relations
  std::string model_name = {};
};

/// The report as JSON, see docs/report-document.md.
std::string report_document(const ReportContents& contents);

/// Whether this build includes the page.
bool has_report_page();
/// A self-contained HTML file. Throws UsageError if this build has no page.
std::string report_page(const ReportContents& contents);

/// Studies as files that reports read; non-finite values are null.
std::string study_json(std::string_view set, const ConvergenceStudy& study);
std::string study_json(std::string_view set, const SensitivityStudy& study);
/// Adds the study in a file. Throws InputError.
void add_study(const std::filesystem::path& path, ReportContents& contents);

}  // namespace mugrad

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

/// Figures that others published, by metric, method and set.
struct PublishedFigure {
  double mean = 0;
  std::optional<double> deviation = {};
};
using PublishedFigures =
    std::map<std::string, std::map<std::string, std::map<std::string, PublishedFigure>>>;

/// {"results": {METRIC: {METHOD: {SET: {"mean": x, "std": y}}}}}. Throws InputError.
PublishedFigures read_published(const std::filesystem::path& path);

/// What a report shows; parts that are empty are left out.
struct ReportContents {
  std::string title = "Comparison";
  std::string created = {};  ///< a date
  std::optional<Comparison> comparison = {};
  PublishedFigures published = {};  ///< methods are matched by name, whatever the case
  std::vector<std::pair<std::string, ConvergenceStudy>> convergence = {};  ///< with the set's name
  std::vector<std::pair<std::string, SensitivityStudy>> sensitivity = {};
  std::optional<Model> model = {};  ///< whose labels borrow from each other
  std::string model_name = {};
};

/// As JSON, see docs/report-document.md.
std::string report_document(const ReportContents& contents);

/// Whether this build has the page.
bool has_report_page();
/// One HTML file that needs nothing else. Throws UsageError when this build has no page.
std::string report_page(const ReportContents& contents);

/// Studies as files, for reports to read again; what is no number is null there.
std::string study_json(std::string_view set, const ConvergenceStudy& study);
std::string study_json(std::string_view set, const SensitivityStudy& study);
/// Adds what a file of a study holds. Throws InputError.
void add_study(const std::filesystem::path& path, ReportContents& contents);

}  // namespace mugrad

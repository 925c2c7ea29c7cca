// SPDX-License-Identifier: MIT
#include "experiment/results_lines.h"
#include "fuzz/support.h"
#include "fuzz/targets.h"

#include <mugrad/experiment/results.h>
#include <mugrad/report/comparison.h>
#include <mugrad/report/page.h>

#include <nlohmann/json.hpp>

#include <optional>

namespace mugrad::fuzz {
namespace {

std::string text_of(const Results& results) {
  std::string text = line_of(results.head);
  for (const auto& record : results.records) text += line_of(record);
  return text;
}

/// As `mugrad report` does with one file.
void report(const Results& results) {
  ReportContents contents;
  contents.comparison = compare_results({&results, 1});
  for (const auto format :
       {TableFormat::text, TableFormat::markdown, TableFormat::csv, TableFormat::latex}) {
    require(!format_tables(*contents.comparison, format).empty(), "a table is empty");
  }
  require(nlohmann::json::accept(report_document(contents)), "the report document is not JSON");
}

}  // namespace

void results(std::string_view input) {
  std::optional<Results> read;
  if (!accepted([&] { read = read_results(file_of("results.jsonl", input)); })) return;
  const std::string text = text_of(*read);
  const Results again = read_results(file_of("again.jsonl", text));
  require(text_of(again) == text, "results change when they are written and read again");
  accepted([&] { report(*read); });
}

}  // namespace mugrad::fuzz

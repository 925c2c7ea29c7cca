// SPDX-License-Identifier: MIT
#include "fuzz/support.h"
#include "fuzz/targets.h"

#include <mugrad/experiment/study.h>
#include <mugrad/report/page.h>

#include <nlohmann/json.hpp>

namespace mugrad::fuzz {
namespace {

std::string text_of(const ReportContents& contents) {
  std::string text;
  for (const auto& [set, study] : contents.convergence) text += study_json(set, study);
  for (const auto& [set, study] : contents.sensitivity) text += study_json(set, study);
  return text;
}

}  // namespace

void study(std::string_view input) {
  ReportContents contents;
  if (!accepted([&] { add_study(file_of("study.json", input), contents); })) return;
  require(nlohmann::json::accept(report_document(contents)), "the report document is not JSON");
  const std::string text = text_of(contents);
  ReportContents again;
  add_study(file_of("again.json", text), again);
  require(text_of(again) == text, "a study changes when it is written and read again");
}

}  // namespace mugrad::fuzz

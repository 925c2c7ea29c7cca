// SPDX-License-Identifier: MIT
#include "fuzz/support.h"
#include "fuzz/targets.h"

#include <mugrad/report/page.h>

#include <nlohmann/json.hpp>

namespace mugrad::fuzz {
namespace {

/// Results of one method on one set, for the figures to stand beside.
Comparison small_comparison() {
  Results results{
      .head = {.protocol = "one split",
               .splits = 1,
               .test_share = 0.2,
               .sets = {{.name = "set", .rows = 5, .features = 2, .labels = 2, .cardinality = 1}},
               .contenders = {{.name = "mgd", .method = "mgd", .text = ""}}},
      .records = {{.set = "set",
                   .contender = "mgd",
                   .options = {},
                   .metrics = {{{Measure::micro_f1}, 0.5}}}}};
  return compare_results({&results, 1}, {.metrics = {{Measure::micro_f1}}});
}

}  // namespace

void published(std::string_view input) {
  static const Comparison comparison = small_comparison();
  ReportContents contents;
  contents.comparison = comparison;
  const auto path = file_of("published.json", input);
  if (!accepted([&] { contents.published = read_published(path); })) return;
  require(nlohmann::json::accept(report_document(contents)), "the report document is not JSON");
}

}  // namespace mugrad::fuzz

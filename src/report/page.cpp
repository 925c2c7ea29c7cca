// SPDX-License-Identifier: MIT
#include <mugrad/core/error.h>
#include <mugrad/core/option_text.h>
#include <mugrad/report/page.h>

#include <fmt/format.h>

#include <string_view>

#ifdef MUGRAD_REPORT_PAGE
// The built page, embedded into this program.
asm(".section .rodata\n"
    ".global mugrad_page_begin\n"
    ".global mugrad_page_end\n"
    "mugrad_page_begin:\n"
    ".incbin \"" MUGRAD_REPORT_PAGE
    "\"\n"
    "mugrad_page_end:\n"
    ".byte 0\n"
    ".previous\n");
extern "C" const char mugrad_page_begin[];  // NOLINT(readability-identifier-naming)
extern "C" const char mugrad_page_end[];    // NOLINT(readability-identifier-naming)
#endif

namespace mugrad {
namespace {

std::string_view page_template() {
#ifdef MUGRAD_REPORT_PAGE
  return {mugrad_page_begin, as_size(mugrad_page_end - mugrad_page_begin)};
#else
  return {};
#endif
}

/// A script element must not contain `<`: it could end the element, or keep it from ending.
std::string escaped(std::string_view json) {
  std::string text;
  for (const char c : json) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

bool has_report_page() { return !page_template().empty(); }

std::string report_page(const ReportContents& contents) {
  constexpr std::string_view kOpen = R"(<script type="application/json" id="document">)";
  constexpr std::string_view kPlace =
      R"(<script type="application/json" id="document">{}</script>)";
  std::string page(page_template());
  const auto place = page.find(kPlace);
  if (place == std::string::npos) {
    throw UsageError(
        fmt::format("this build has no page: build where npm is installed, or choose a table ({})",
                    option_text(Option::table_format)));
  }
  return page.replace(place + kOpen.size(), 2, escaped(report_document(contents)));
}

}  // namespace mugrad

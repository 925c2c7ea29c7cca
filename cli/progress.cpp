// SPDX-License-Identifier: MIT
#include "progress.h"

#include "process.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace mugrad::cli {
namespace {

bool line_on_screen = false;
bool is_terminal_assumed = false;

}  // namespace

ProgressLine::ProgressLine(std::string_view what, bool enabled)
    : what_(what),
      shown_(enabled && (is_terminal_assumed || isatty(STDERR_FILENO) != 0)),
      started_(Clock::now()) {}

void ProgressLine::assume_terminal() { is_terminal_assumed = true; }

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::update(double share, std::string_view detail) {
  if (!shown_) return;
  constexpr std::chrono::milliseconds kBetween{100};
  const auto now = Clock::now();
  if (now - updated_ < kBetween) return;
  updated_ = now;
  const double elapsed = std::chrono::duration<double>(now - started_).count();
  share = std::clamp(share, 0.0, 1.0);
  const bool can_tell = share > 0.01 && elapsed > 0.5;
  const std::string left =
      can_tell ? fmt::format(", {} left", duration_text(elapsed * (1 - share) / share)) : "";
  write_message(fmt::format("\r\x1b[K{} {:3.0f} %{}{}{}", what_, 100 * share, left,
                            detail.empty() ? "" : ", ", detail));
  line_on_screen = true;
}

void ProgressLine::clear() {
  if (!line_on_screen) return;
  write_message("\r\x1b[K");
  line_on_screen = false;
}

bool ShownProgress::update(double share) {
  const bool shows_iterate = detail_.empty() && iterate_;
  line_.update(share, shows_iterate ? fmt::format("iteration {}, residual {:.2e}",
                                                  iterate_->iteration, iterate_->residual)
                                    : detail_);
  return !interrupted();
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<long>(std::lround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace mugrad::cli

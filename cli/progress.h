// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/progress.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace mugrad::cli {

/// One line on standard error that is overwritten as work goes on; shown only on a terminal.
class ProgressLine {
 public:
  /// `enabled` false (--quiet): never shown.
  ProgressLine(std::string_view what, bool enabled);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// `share` of the work done, in [0, 1]; `detail` follows the time left. Cheap to call often.
  void update(double share, std::string_view detail = {});
  /// Removes the line, if one is shown, so that something else can be printed.
  static void clear();
  /// Shows lines although standard error is no terminal: whoever passes it on has one.
  static void assume_terminal();

 private:
  using Clock = std::chrono::steady_clock;
  std::string what_;
  bool shown_;
  Clock::time_point started_;
  Clock::time_point updated_;
};

/// Shows how far work is, and stops it when Ctrl-C was pressed.
class ShownProgress final : public Progress {
 public:
  ShownProgress(std::string_view what, bool enabled) : line_(what, enabled) {}
  void iterate(const Iterate& iterate) override { iterate_ = iterate; }
  bool update(double share) override;

 private:
  std::optional<Iterate> iterate_;  ///< the last one, where there are any
  ProgressLine line_;
};

/// "12 s", "3 min 5 s", "2 h 10 min".
std::string duration_text(double seconds);

}  // namespace mugrad::cli

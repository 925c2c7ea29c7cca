// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/progress.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace mugrad::cli {

/// One line on standard error that is overwritten during the work; shown only on a terminal.
class ProgressLine {
 public:
  /// `enabled` false (--quiet): never shown.
  ProgressLine(std::string_view what, bool enabled);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// `share` of the work is done, in [0, 1]; `detail` follows the remaining time. Cheap to call
  /// often.
  void update(double share, std::string_view detail = {});
  /// Removes the line, if one is shown, so that something else can be printed.
  static void clear();
  /// Shows lines although standard error is not a terminal, because the launcher's is.
  static void assume_terminal();

 private:
  using Clock = std::chrono::steady_clock;
  std::string what_;
  bool shown_;
  Clock::time_point started_;
  Clock::time_point updated_;
};

/// Shows the progress of work, and stops it after Ctrl-C.
class ShownProgress final : public Progress {
 public:
  ShownProgress(std::string_view what, bool enabled) : line_(what, enabled) {}
  void iterate(const Iterate& iterate) override { iterate_ = iterate; }
  bool update(double share) override;
  /// Shows this text instead of iterates.
  void describe(std::string detail) { detail_ = std::move(detail); }

 private:
  std::string detail_;
  std::optional<Iterate> iterate_;  ///< the last one, if any
  ProgressLine line_;
};

/// "12 s", "3 min 5 s", "2 h 10 min".
std::string duration_text(double seconds);

}  // namespace mugrad::cli

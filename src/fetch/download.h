// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/error.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace mugrad {

/// The server failed: no connection, not found, transfer aborted, unexpected content.
class DownloadError : public InputError {
 public:
  using InputError::InputError;
};

/// The only content that a download accepts.
struct ExpectedContent {
  std::int64_t bytes;
  std::string_view sha256;  ///< lower-case hexadecimal
};

/// Receives the received and the total number of bytes (0: unknown); returns false to stop.
using DownloadProgress = std::function<bool(std::int64_t received, std::int64_t total)>;

/// A monotonic clock.
using DownloadClock = std::function<std::chrono::steady_clock::time_point()>;

/// Returns the content of the URL, which must have the expected size and SHA-256. Receives at most
/// that many bytes, and gives up if they arrive too slowly (MinimumSpeed): it always ends.
/// Redirects may lead to https only, or also to http if the URL itself is http. Throws
/// DownloadError naming the URL, and InterruptedError if `progress` returns false.
std::string download(const std::string& url, const ExpectedContent& expected,
                     const DownloadProgress& progress,
                     const DownloadClock& clock = std::chrono::steady_clock::now);

/// Detects transfers that are too slow.
class MinimumSpeed {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::int64_t kBytesPerSecond = 1000;
  static constexpr std::chrono::seconds kPatience{30};

  explicit MinimumSpeed(Time start) noexcept : since_(start) {}

  /// Whether fewer than kBytesPerSecond arrived on average during the last kPatience. `received`
  /// counts from the start and never decreases.
  bool is_missed(std::int64_t received, Time now) noexcept;

 private:
  Time since_;               ///< start of the current interval
  std::int64_t before_ = 0;  ///< bytes received before it
};

}  // namespace mugrad

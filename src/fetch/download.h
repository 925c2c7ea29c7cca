// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/error.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace mugrad {

/// The other side failed: no connection, not found, broken off, not the file that was expected.
class DownloadError : public InputError {
 public:
  using InputError::InputError;
};

/// The one content that a download accepts.
struct ExpectedContent {
  std::int64_t bytes;
  std::string_view sha256;  ///< lower-case hexadecimal
};

/// Told the bytes received and the bytes there are (0: unknown); returns false to stop.
using DownloadProgress = std::function<bool(std::int64_t received, std::int64_t total)>;

/// Tells the time; never goes back.
using DownloadClock = std::function<std::chrono::steady_clock::time_point()>;

/// Returns the content of the URL, whose size and SHA-256 are those expected. Receives at most that
/// many bytes, and gives up when too few arrive (MinimumSpeed): it always ends.
/// Redirects lead to https only, or to http as well where the URL itself is http.
/// Throws DownloadError naming the URL, and InterruptedError when `progress` says so.
std::string download(const std::string& url, const ExpectedContent& expected,
                     const DownloadProgress& progress,
                     const DownloadClock& clock = std::chrono::steady_clock::now);

/// Whether a transfer is still worth waiting for.
class MinimumSpeed {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::int64_t kBytesPerSecond = 1000;
  static constexpr std::chrono::seconds kPatience{30};

  explicit MinimumSpeed(Time start) noexcept : since_(start) {}

  /// Whether kPatience has passed in which fewer than kBytesPerSecond arrived on average.
  /// `received` counts from the start and never falls.
  bool is_missed(std::int64_t received, Time now) noexcept;

 private:
  Time since_;               ///< when the bytes began that are being waited for
  std::int64_t before_ = 0;  ///< received until then
};

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/error.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace mugrad {

/// The other side failed: no connection, not found, broken off, not the file that was expected.
class DownloadError : public InputError {
 public:
  using InputError::InputError;
};

/// Told the bytes received and the bytes there are (0: unknown); returns false to stop.
using DownloadProgress = std::function<bool(std::int64_t received, std::int64_t total)>;

/// Puts what lies at the URL into `target`, whole and only when its SHA-256 is the one expected.
/// Redirects lead to https only, or to http as well where the URL itself is http.
/// Throws DownloadError naming the URL, InputError when `target` cannot be written, and
/// InterruptedError when `progress` says so.
void download(const std::string& url, const std::filesystem::path& target, std::string_view sha256,
              const DownloadProgress& progress);

}  // namespace mugrad

// SPDX-License-Identifier: MIT
/// Downloads of public data sets. A separate library, mugrad::fetch, because it needs libcurl and
/// OpenSSL.
#pragma once

#include <mugrad/data/catalog.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace mugrad {

struct FetchOptions {
  /// Base URL of a mirror, http:// or https://; empty: catalog_url().
  std::string from = {};
  std::filesystem::path folder = {};  ///< empty: cache_folder()
  using Progress =
      std::function<bool(std::string_view file, std::int64_t received, std::int64_t total)>;
  /// Called as bytes arrive; total is 0 while it is unknown. Return false to stop
  /// (InterruptedError).
  Progress progress = {};
};

/// Downloads the files of a data set, except those present with the right hash. Checks size and
/// SHA-256 of each, and writes them after all have arrived: a failed fetch leaves no file and no
/// folder. Returns the data file. Throws InputError, and UsageError for an invalid mirror URL.
std::filesystem::path fetch(const CatalogEntry& entry, const FetchOptions& options = {});

}  // namespace mugrad

// SPDX-License-Identifier: MIT
/// Downloads of public data sets: a library of its own, mugrad::fetch, since it needs libcurl and
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
  /// Called as bytes arrive; total is 0 while unknown. Return false to stop (InterruptedError).
  Progress progress = {};
};

/// Downloads the files of a set that are not there yet with the right hash, checks size and SHA-256
/// of each, and writes them once all have arrived: a fetch that fails leaves no file and no folder.
/// Returns the data file. Throws InputError, and UsageError for a mirror that is no such URL.
std::filesystem::path fetch(const CatalogEntry& entry, const FetchOptions& options = {});

}  // namespace mugrad

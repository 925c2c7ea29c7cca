// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace mugrad {

/// One file of a public data set: where it lies upstream and here, and what it must hash to.
struct CatalogFile {
  std::string_view upstream = {};  ///< path below the upstream folder
  std::string_view local = {};     ///< file name in the data set's own folder
  std::string_view sha256 = {};    ///< lower-case hexadecimal
  std::int64_t bytes = 0;          ///< its size
};

/// A public data set that Mugrad knows by name.
struct CatalogEntry {
  std::string_view name = {};
  std::string_view about = {};
  CatalogFile data = {};
  CatalogFile labels = {};
};

/// The six Mulan sets of the MGD paper.
std::span<const CatalogEntry> catalog();
/// Null when there is none of this name.
const CatalogEntry* find_in_catalog(std::string_view name);

/// Where fetched data sets are kept: $XDG_CACHE_HOME/mugrad or ~/.cache/mugrad. Throws InputError
/// when the environment names neither.
std::filesystem::path cache_folder();

/// The data file of a catalogued set that is already on this machine, with its label file beside
/// it: below $MUGRAD_DATA, then below the cache folder, as NAME/NAME.arff.
std::optional<std::filesystem::path> find_local(const CatalogEntry& entry);

struct FetchOptions {
  /// Base URL of a mirror, http:// or https://; empty: the upstream repository.
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

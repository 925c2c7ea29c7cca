// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

namespace mugrad {

/// One file of a public data set: its upstream path, its local name and its hash.
struct CatalogFile {
  std::string_view upstream = {};  ///< path below catalog_url()
  std::string_view local = {};     ///< file name in the data set's own folder
  std::string_view sha256 = {};    ///< lower-case hexadecimal
  std::int64_t bytes = 0;
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
/// Base URL of the upstream files from which the hashes were computed.
std::string_view catalog_url();
/// Null if there is no data set of this name.
const CatalogEntry* find_in_catalog(std::string_view name);

/// The folder for fetched data sets: $XDG_CACHE_HOME/mugrad or ~/.cache/mugrad. Throws InputError
/// if neither environment variable is set.
std::filesystem::path cache_folder();

/// The data file of a catalogued set that is already on this machine, with its label file beside
/// it: NAME/NAME.arff below $MUGRAD_DATA, or else below the cache folder.
std::optional<std::filesystem::path> find_local(const CatalogEntry& entry);

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

namespace mugrad {

/// One file of a public data set: where it lies upstream and here, and what it must hash to.
struct CatalogFile {
  std::string_view upstream = {};  ///< path below catalog_url()
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
/// Where upstream keeps the files, which the hashes were taken from.
std::string_view catalog_url();
/// Null when there is none of this name.
const CatalogEntry* find_in_catalog(std::string_view name);

/// Where fetched data sets are kept: $XDG_CACHE_HOME/mugrad or ~/.cache/mugrad. Throws InputError
/// when the environment names neither.
std::filesystem::path cache_folder();

/// The data file of a catalogued set that is already on this machine, with its label file beside
/// it: below $MUGRAD_DATA, then below the cache folder, as NAME/NAME.arff.
std::optional<std::filesystem::path> find_local(const CatalogEntry& entry);

}  // namespace mugrad

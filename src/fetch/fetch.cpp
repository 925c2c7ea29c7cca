// SPDX-License-Identifier: MIT
#include "core/mapped_file.h"
#include "core/staged_files.h"
#include "fetch/download.h"
#include "fetch/sha256.h"

#include <mugrad/core/error.h>
#include <mugrad/core/option_text.h>
#include <mugrad/fetch/fetch.h>

#include <fmt/format.h>

#include <system_error>
#include <vector>

namespace mugrad {
namespace {

namespace fs = std::filesystem;

std::string base_url(const FetchOptions& options) {
  std::string base = options.from.empty() ? std::string(catalog_url()) : options.from;
  if (!base.starts_with("https://") && !base.starts_with("http://")) {
    throw UsageError(
        fmt::format("a mirror must be an http:// or https:// address, got '{}'", options.from));
  }
  while (base.ends_with('/')) base.pop_back();
  return base;
}

bool is_there(const fs::path& path, std::string_view sha256) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return false;
  Sha256 hash;
  const MappedFile file(path);
  file.while_whole([&] { hash.update(file.bytes()); });
  return hash.finish() == sha256;
}

std::string downloaded(const CatalogEntry& entry, const CatalogFile& file, const std::string& base,
                       const FetchOptions& options) {
  DownloadProgress progress;
  if (options.progress) {
    progress = [&](std::int64_t received, std::int64_t total) {
      return options.progress(file.local, received, total);
    };
  }
  try {
    return download(fmt::format("{}/{}", base, file.upstream), {file.bytes, file.sha256}, progress);
  } catch (const DownloadError& error) {
    throw InputError(fmt::format(
        "{}; fetch from a mirror with {}, or put {name}/{} and {name}/{} into the folder that "
        "MUGRAD_DATA names",
        error.what(), option_text(Option::mirror, "URL"), entry.data.local, entry.labels.local,
        fmt::arg("name", entry.name)));
  }
}

}  // namespace

fs::path fetch(const CatalogEntry& entry, const FetchOptions& options) {
  const std::string base = base_url(options);
  const fs::path folder = (options.folder.empty() ? cache_folder() : options.folder) / entry.name;
  // Before the download, so that nothing is downloaded if the folder cannot be created.
  write_files(folder, {});

  // Labels first: if the data file exists, so do they.
  std::vector<FileContent> contents;
  for (const CatalogFile& file : {entry.labels, entry.data}) {
    if (is_there(folder / file.local, file.sha256)) continue;
    contents.push_back({file.local, downloaded(entry, file, base, options)});
  }
  write_files(folder, contents);
  return folder / entry.data.local;
}

}  // namespace mugrad

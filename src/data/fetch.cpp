// SPDX-License-Identifier: MIT
#include "data/download.h"
#include "data/sha256.h"

#include <mugrad/core/error.h>
#include <mugrad/core/mapped_file.h>
#include <mugrad/data/catalog.h>

#include <fmt/format.h>

namespace mugrad {
namespace {

namespace fs = std::filesystem;

/// The files as the catalogue's hashes were taken from them.
constexpr std::string_view kUpstream =
    "https://raw.githubusercontent.com/tsoumakas/mulan/43f6389095ad71984264db4387a8074b22bc7d4a/"
    "data/multi-label";

std::string base_url(const FetchOptions& options) {
  std::string base = options.from.empty() ? std::string(kUpstream) : options.from;
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

/// A folder made where there is none, and taken away again when it stays empty.
class NeededFolder {
 public:
  explicit NeededFolder(fs::path path) : path_(std::move(path)) {
    std::error_code error;
    is_new_ = fs::create_directories(path_, error);
    if (error) {
      throw InputError(
          fmt::format("cannot make the folder {}: {}", path_.string(), error.message()));
    }
  }
  ~NeededFolder() {
    std::error_code not_empty;
    if (is_new_) fs::remove(path_, not_empty);
  }
  NeededFolder(const NeededFolder&) = delete;
  NeededFolder& operator=(const NeededFolder&) = delete;

  const fs::path& path() const noexcept { return path_; }

 private:
  fs::path path_;
  bool is_new_ = false;
};

}  // namespace

fs::path fetch(const CatalogEntry& entry, const FetchOptions& options) {
  const std::string base = base_url(options);
  const fs::path parent = options.folder.empty() ? cache_folder() : options.folder;
  const NeededFolder folder(parent / entry.name);

  // The labels first: where the data file is, they are.
  for (const CatalogFile& file : {entry.labels, entry.data}) {
    const fs::path target = folder.path() / file.local;
    if (is_there(target, file.sha256)) continue;
    DownloadProgress progress;
    if (options.progress) {
      progress = [&](std::int64_t received, std::int64_t total) {
        return options.progress(file.local, received, total);
      };
    }
    try {
      download(fmt::format("{}/{}", base, file.upstream), target, file.sha256, progress);
    } catch (const DownloadError& error) {
      throw InputError(fmt::format(
          "{}; fetch from a mirror with --from URL, or put {name}/{} and {name}/{} into "
          "the folder that MUGRAD_DATA names",
          error.what(), entry.data.local, entry.labels.local, fmt::arg("name", entry.name)));
    }
  }
  return folder.path() / entry.data.local;
}

}  // namespace mugrad

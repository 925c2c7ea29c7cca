// SPDX-License-Identifier: MIT
#include "data/download.h"
#include "data/sha256.h"

#include <mugrad/core/atomic_file.h>
#include <mugrad/core/error.h>
#include <mugrad/core/mapped_file.h>
#include <mugrad/data/catalog.h>

#include <fmt/format.h>

#include <deque>
#include <system_error>
#include <utility>
#include <vector>

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

/// Creates a folder with its parents, and removes those it created that are empty in the end.
class NeededFolder {
 public:
  explicit NeededFolder(const fs::path& path) {
    // "a/b/" names the same folder as "a/b".
    fs::path missing = path.has_filename() ? path : path.parent_path();
    std::error_code error;
    for (; !missing.empty() && !fs::exists(missing, error); missing = missing.parent_path()) {
      created_.push_back(missing);
    }
    fs::create_directories(path, error);
    if (error) {
      remove_empty();
      throw InputError(
          fmt::format("cannot make the folder {}: {}", path.string(), error.message()));
    }
  }
  ~NeededFolder() { remove_empty(); }
  NeededFolder(const NeededFolder&) = delete;
  NeededFolder& operator=(const NeededFolder&) = delete;

 private:
  void remove_empty() const noexcept {
    std::error_code not_empty;
    for (const fs::path& folder : created_) fs::remove(folder, not_empty);
  }

  std::vector<fs::path> created_;  ///< the innermost first
};

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
        "{}; fetch from a mirror with --from URL, or put {name}/{} and {name}/{} into "
        "the folder that MUGRAD_DATA names",
        error.what(), entry.data.local, entry.labels.local, fmt::arg("name", entry.name)));
  }
}

}  // namespace

fs::path fetch(const CatalogEntry& entry, const FetchOptions& options) {
  const std::string base = base_url(options);
  const fs::path parent = options.folder.empty() ? cache_folder() : options.folder;
  const fs::path folder = parent / entry.name;
  // Before the download, so that a folder that cannot be made costs none.
  { const NeededFolder possible(folder); }

  // The labels first: where the data file is, they are.
  std::vector<std::pair<fs::path, std::string>> contents;
  for (const CatalogFile& file : {entry.labels, entry.data}) {
    if (is_there(folder / file.local, file.sha256)) continue;
    contents.emplace_back(folder / file.local, downloaded(entry, file, base, options));
  }
  const NeededFolder needed(folder);
  std::deque<AtomicFile> files;
  for (const auto& [target, content] : contents) files.emplace_back(target).write(content);
  for (AtomicFile& file : files) file.commit();
  return folder / entry.data.local;
}

}  // namespace mugrad

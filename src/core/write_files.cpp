// SPDX-License-Identifier: MIT
#include <mugrad/core/atomic_file.h>
#include <mugrad/core/error.h>
#include <mugrad/core/write_files.h>

#include <fmt/format.h>

#include <deque>
#include <system_error>
#include <vector>

namespace mugrad {
namespace {

namespace fs = std::filesystem;

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

}  // namespace

void write_files(const fs::path& folder, std::span<const FileContent> files) {
  const NeededFolder needed(folder);
  std::deque<AtomicFile> written;
  for (const auto& [name, content] : files) written.emplace_back(folder / name).write(content);
  for (AtomicFile& file : written) file.commit();
}

}  // namespace mugrad

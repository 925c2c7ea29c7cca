// SPDX-License-Identifier: MIT
#include "core/staged_files.h"

#include "core/atomic_file.h"
#include "core/file_names.h"
#include "core/file_set.h"
#include "core/folder_entries.h"
#include "core/system_call.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

namespace mugrad {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::string& reason) {
  throw InputError(fmt::format("cannot write {}: {}", path.string(), reason));
}

/// A hidden folder of this process, removed by the destructor.
class HiddenFolder {
 public:
  explicit HiddenFolder(const fs::path& in) {
    while (descriptor_ == -1) {
      path_ = hidden_name_in(in);
      if (mkdir(path_.c_str(), 0777) != 0) fail(in, reason_of(errno));
      descriptor_ = open_file(path_, O_RDONLY | O_DIRECTORY);
      // Before it was locked, it looked like a leftover.
      if (descriptor_ == -1 && errno != ENOENT) fail(in, reason_of(errno));
      if (descriptor_ == -1 || (lock_hidden(descriptor_) && leads_to(path_, descriptor_))) continue;
      close(std::exchange(descriptor_, -1));
    }
  }
  ~HiddenFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
    close(descriptor_);
  }
  HiddenFolder(const HiddenFolder&) = delete;
  HiddenFolder& operator=(const HiddenFolder&) = delete;

  const fs::path& path() const noexcept { return path_; }
  int descriptor() const noexcept { return descriptor_; }
  /// Returns false and sets errno on failure.
  bool move_to(const fs::path& name) {
    if (rename(path_.c_str(), name.c_str()) != 0) return false;
    path_ = name;
    return true;
  }
  /// Gives up ownership: the path now leads elsewhere, or to files that others remove.
  void release() noexcept { path_.clear(); }

 private:
  fs::path path_;
  int descriptor_ = -1;
};

/// An existing folder, open and locked like hidden ones.
class OpenFolder {
 public:
  explicit OpenFolder(const fs::path& path)
      : descriptor_(open_file(path, O_RDONLY | O_DIRECTORY)),
        is_locked_(descriptor_ != -1 && lock_hidden(descriptor_)) {}
  ~OpenFolder() {
    if (descriptor_ != -1) close(descriptor_);
  }
  OpenFolder(const OpenFolder&) = delete;
  OpenFolder& operator=(const OpenFolder&) = delete;

  bool is_locked() const noexcept { return is_locked_; }

 private:
  int descriptor_;
  bool is_locked_;
};

/// The longest existing prefix of the path.
fs::path deepest_there(fs::path folder) {
  while (!fs::exists(folder)) folder = folder_of(folder);
  return folder;
}

bool has_access_list(const fs::path& folder) {
  return std::ranges::any_of(
      std::initializer_list<const char*>{"system.posix_acl_access", "system.posix_acl_default"},
      [&](const char* name) { return getxattr(folder.c_str(), name, nullptr, 0) > 0; });
}

/// Gives a new folder the owner and the mode of another. Returns false on failure.
bool copy_owner_and_mode(int descriptor, const fs::path& other) {
  struct stat wanted {};
  struct stat own {};
  if (stat(other.c_str(), &wanted) != 0 || fstat(descriptor, &own) != 0) return false;
  const bool same_owner = wanted.st_uid == own.st_uid && wanted.st_gid == own.st_gid;
  if (!same_owner && fchown(descriptor, wanted.st_uid, wanted.st_gid) != 0) return false;
  return fchmod(descriptor, wanted.st_mode & 07777U) == 0;
}

/// Creates a folder with its parents, and removes those it created that end up empty.
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
          fmt::format("cannot create the folder {}: {}", path.string(), error.message()));
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

struct StagedFiles::State {
  State(const fs::path& folder, FolderUse of)
      : target(fs::weakly_canonical(fs::absolute(folder))),
        there(deepest_there(target)),
        use(of),
        hidden(cleaned(target, there)) {
    if (target == there) return;
    // The hidden folder represents the first missing folder of the path.
    const fs::path missing = target.lexically_relative(there);
    place = there / *missing.begin();
    for (auto part = std::next(missing.begin()); part != missing.end(); ++part) inside /= *part;
  }

  /// The folder to begin in, after removing leftovers of killed processes in it and beside it.
  static const fs::path& cleaned(const fs::path& target, const fs::path& there) {
    remove_leftovers_once(there);
    if (target == there) remove_leftovers_once(folder_of(target));
    return there;
  }

  fs::path staged(const fs::path& name) const { return hidden.path() / inside / name; }
  bool is_replaced(const fs::path& name) const {
    return std::ranges::any_of(files, [&](const SetFile& file) { return file.name == name; });
  }

  /// Whether the folder at `below` contains only files that are replaced.
  bool has_only_replaced(const fs::path& below = {}) const {
    for (const FolderEntry& entry : entries_of(target / below)) {
      const fs::path name = below / entry.name;
      if (target / name == hidden.path()) continue;
      const bool is_of_set =
          entry.is_folder ? has_files_below(name) && has_only_replaced(name) : is_replaced(name);
      if (!is_of_set) return false;
    }
    return true;
  }
  bool has_files_below(const fs::path& folder) const {
    return std::ranges::any_of(files, [&](const SetFile& file) {
      const auto [end, rest] =
          std::mismatch(folder.begin(), folder.end(), file.name.begin(), file.name.end());
      return end == folder.end();
    });
  }

  /// Whether the process works in the folder or below: its shell should not end up in a removed
  /// folder.
  bool is_working_directory() const {
    std::error_code unknown;
    const auto here = fs::current_path(unknown);
    const auto [end, rest] = std::mismatch(target.begin(), target.end(), here.begin(), here.end());
    return unknown || end == target.end();
  }

  void sync_all() const {
    sync_folder(hidden.path());
    for_each_below(hidden.path(), [&](const fs::path& path, const FolderEntry& entry) {
      if (entry.is_folder) sync_folder(hidden.path() / path);
    });
  }

  /// Moves the new folder to the first missing one.
  void appear() {
    if (!hidden.move_to(place)) fail(target, reason_of(errno));
    hidden.release();
    sync_folder(there);
  }

  /// Exchanges the two folders in one step. Returns false if nothing has changed.
  bool change_places() {
    const fs::path parent = target.parent_path();
    const fs::path inside_target = hidden.path();
    if (!hidden.move_to(hidden_name_in(parent))) return false;
    // The old folder gets a hidden name: without a lock it looks like a leftover.
    const OpenFolder old_folder(target);
    const bool are_changed =
        old_folder.is_locked() && copy_owner_and_mode(hidden.descriptor(), target) &&
        renameat2(AT_FDCWD, hidden.path().c_str(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) == 0;
    if (are_changed) {
      sync_folder(parent);
      keep_newcomers();
    } else if (!hidden.move_to(inside_target)) {
      fail(target, reason_of(errno));
    }
    return are_changed;
  }

  /// Moves files that were added to the old folder since it was checked to the new one.
  void keep_newcomers() {
    std::error_code ignored;
    for (const auto& file : files) fs::remove(hidden.path() / file.name, ignored);
    move_newcomers({});
  }
  /// Moves the contents of the folder at `below`, whole folders if the new one lacks them.
  void move_newcomers(const fs::path& below) {
    try {
      for (const FolderEntry& entry : entries_of(hidden.path() / below)) {
        const fs::path name = below / entry.name;
        const int moved = renameat2(AT_FDCWD, (hidden.path() / name).c_str(), AT_FDCWD,
                                    (target / name).c_str(), RENAME_NOREPLACE);
        if (moved != 0 && entry.is_folder) move_newcomers(name);
      }
    } catch (const fs::filesystem_error&) {
      // The new files are in place; continue with the other folders.
    }
  }

  fs::path target;
  fs::path there;  ///< the existing part of the target's path
  FolderUse use;
  HiddenFolder hidden;
  fs::path place;   ///< the place for the hidden folder; empty: the target exists
  fs::path inside;  ///< path of the target inside the hidden folder
  std::vector<SetFile> files;
};

StagedFiles::StagedFiles(const fs::path& folder, FolderUse use) {
  std::error_code ignored;
  if (folder.empty()) fail(folder, "the name of the folder is empty");
  if (fs::exists(folder, ignored) && !fs::is_directory(folder, ignored)) {
    fail(folder, "it is not a folder");
  }
  try {
    state_ = std::make_unique<State>(folder, use);
  } catch (const fs::filesystem_error& error) {
    fail(folder, error.code().message());
  }
}

StagedFiles::~StagedFiles() = default;

fs::path StagedFiles::add(const fs::path& name) {
  std::error_code error;
  if (fs::is_directory(state_->target / name, error)) fail(state_->target / name, "it is a folder");
  fs::path staged = state_->staged(name);
  fs::create_directories(folder_of(staged), error);
  if (error) fail(state_->target / name, error.message());
  state_->files.push_back({.name = name});
  return staged;
}

void StagedFiles::commit() try {
  State& state = *state_;
  for (auto& file : state.files) file.appears = fs::exists(state.staged(file.name));
  state.sync_all();
  if (!state.place.empty()) return state.appear();
  const bool may_change_places = state.use == FolderUse::for_set && state.has_only_replaced() &&
                                 !state.is_working_directory() && !has_access_list(state.target);
  if (may_change_places && state.change_places()) return;
  commit_file_set(state.hidden.path(), state.files);
  state.hidden.release();
} catch (const fs::filesystem_error& error) {
  fail(state_->target, error.code().message());
}

void write_files(const fs::path& folder, std::span<const FileContent> files) {
  const NeededFolder needed(folder);
  std::deque<AtomicFile> written;
  for (const auto& [name, content] : files) written.emplace_back(folder / name).write(content);
  for (AtomicFile& file : written) file.commit();
}

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#include "core/file_names.h"
#include "core/file_set.h"
#include "core/hidden_files.h"
#include "core/system_call.h"

#include <mugrad/core/error.h>
#include <mugrad/core/folder_entries.h>
#include <mugrad/core/staged_files.h>

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <utility>
#include <vector>

namespace mugrad {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::string& reason) {
  throw InputError(fmt::format("cannot write {}: {}", path.string(), reason));
}

/// A hidden folder of this process, which goes away with it.
class HiddenFolder {
 public:
  explicit HiddenFolder(const fs::path& in) {
    while (descriptor_ == -1) {
      path_ = hidden_name_in(in);
      if (mkdir(path_.c_str(), 0777) != 0) fail(in, reason_of(errno));
      descriptor_ = open_file(path_, O_RDONLY | O_DIRECTORY);
      // Until it was locked it looked like one that is left over.
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
  /// False, and errno, when it cannot go there.
  bool move_to(const fs::path& name) {
    if (rename(path_.c_str(), name.c_str()) != 0) return false;
    path_ = name;
    return true;
  }
  /// Its path leads elsewhere now, or to what others remove.
  void release() noexcept { path_.clear(); }

 private:
  fs::path path_;
  int descriptor_ = -1;
};

/// A folder that was there before, open and locked as hidden ones are.
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

/// The folder or the part of its path that is there.
fs::path deepest_there(fs::path folder) {
  while (!fs::exists(folder)) folder = folder_of(folder);
  return folder;
}

bool has_access_list(const fs::path& folder) {
  return std::ranges::any_of(
      std::initializer_list<const char*>{"system.posix_acl_access", "system.posix_acl_default"},
      [&](const char* name) { return getxattr(folder.c_str(), name, nullptr, 0) > 0; });
}

/// Gives a new folder the owner and the mode of another. False when it cannot.
bool copy_owner_and_mode(int descriptor, const fs::path& other) {
  struct stat wanted {};
  struct stat own {};
  if (stat(other.c_str(), &wanted) != 0 || fstat(descriptor, &own) != 0) return false;
  const bool same_owner = wanted.st_uid == own.st_uid && wanted.st_gid == own.st_gid;
  if (!same_owner && fchown(descriptor, wanted.st_uid, wanted.st_gid) != 0) return false;
  return fchmod(descriptor, wanted.st_mode & 07777U) == 0;
}

}  // namespace

struct StagedFiles::State {
  State(const fs::path& folder, FolderUse of)
      : target(fs::weakly_canonical(fs::absolute(folder))),
        there(deepest_there(target)),
        use(of),
        hidden(cleaned(target, there)) {
    if (target == there) return;
    // The hidden folder stands for the first of the path that is missing.
    const fs::path missing = target.lexically_relative(there);
    place = there / *missing.begin();
    for (auto part = std::next(missing.begin()); part != missing.end(); ++part) inside /= *part;
  }

  /// The folder to begin in, without what killed processes have left there and beside it.
  static const fs::path& cleaned(const fs::path& target, const fs::path& there) {
    remove_leftovers_once(there);
    if (target == there) remove_leftovers_once(folder_of(target));
    return there;
  }

  fs::path staged(const fs::path& name) const { return hidden.path() / inside / name; }
  bool is_replaced(const fs::path& name) const {
    return std::ranges::any_of(files, [&](const SetFile& file) { return file.name == name; });
  }

  /// Whether the folder at `below` has nothing but what is replaced.
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

  /// Whether the process works in the folder or below: its shell should not find itself in a folder
  /// that is gone.
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

  /// The new folder becomes the first that was missing.
  void appear() {
    if (!hidden.move_to(place)) fail(target, reason_of(errno));
    hidden.release();
    sync_folder(there);
  }

  /// The two folders change places in one step. False: nothing has changed.
  bool change_places() {
    const fs::path parent = target.parent_path();
    const fs::path inside_target = hidden.path();
    if (!hidden.move_to(hidden_name_in(parent))) return false;
    // The old folder gets a hidden name: unless it is locked, it looks like one that is left over.
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

  /// The old folder is where the new one was: files that came since it was looked at move on.
  void keep_newcomers() {
    std::error_code ignored;
    for (const auto& file : files) fs::remove(hidden.path() / file.name, ignored);
    move_newcomers({});
  }
  /// Moves what is in the folder at `below`, as a whole where the new folder has none of the name.
  void move_newcomers(const fs::path& below) {
    try {
      for (const FolderEntry& entry : entries_of(hidden.path() / below)) {
        const fs::path name = below / entry.name;
        const int moved = renameat2(AT_FDCWD, (hidden.path() / name).c_str(), AT_FDCWD,
                                    (target / name).c_str(), RENAME_NOREPLACE);
        if (moved != 0 && entry.is_folder) move_newcomers(name);
      }
    } catch (const fs::filesystem_error&) {
      // The new files are in place, and the other folders are still looked at.
    }
  }

  fs::path target;
  fs::path there;  ///< of the target's path
  FolderUse use;
  HiddenFolder hidden;
  fs::path place;   ///< of the hidden folder; empty: the target is there
  fs::path inside;  ///< from the hidden folder to the one that is the target
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

}  // namespace mugrad

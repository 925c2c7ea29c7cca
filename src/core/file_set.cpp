// SPDX-License-Identifier: MIT
#include "core/file_set.h"

#include "core/atomic_file.h"
#include "core/file_names.h"
#include "core/mapped_file.h"
#include "core/printable.h"
#include "core/system_call.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <chrono>
#include <set>
#include <sstream>
#include <thread>

namespace mugrad {
namespace {

namespace fs = std::filesystem;

/// The file in the hidden folder that describes the set.
constexpr const char* kDescription = ".description";
/// The subfolder for replaced files, until all new ones have their names.
constexpr const char* kReplaced = ".replaced";

[[noreturn]] void fail(const fs::path& file) {
  throw InputError(fmt::format("cannot write {}: {}", file.string(), reason_of(errno)));
}

bool is_there(const fs::path& file) {
  struct stat status {};
  return lstat(file.c_str(), &status) == 0;
}

/// Identifies a file among all that had or will have its name; empty: there is none. An inode
/// number alone is not enough, because it is reused.
std::string identity_of(const fs::path& file) {
  struct stat status {};
  if (lstat(file.c_str(), &status) != 0) return {};
  return fmt::format("{} {} {} {}", status.st_ino, status.st_size, status.st_mtim.tv_sec,
                     status.st_mtim.tv_nsec);
}

/// Locks the folder against other file sets, if the file system has locks. Waiting ends with an
/// error after a while, because the owner of the lock may be waiting for this very process, as in
/// `flock FOLDER mugrad ...`. Throws InputError.
class FolderLock {
 public:
  explicit FolderLock(const fs::path& folder)
      : descriptor_(open_file(folder, O_RDONLY | O_DIRECTORY)) {
    constexpr int kMostTries = 200;
    for (int tries = 0; descriptor_ != -1; ++tries) {
      if (retried([&] { return flock(descriptor_, LOCK_EX | LOCK_NB); }) == 0) return;
      if (errno != EWOULDBLOCK) return;
      if (tries == kMostTries) {
        close(descriptor_);
        throw InputError(fmt::format("cannot write to {}: another program keeps the folder locked",
                                     folder.string()));
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }
  ~FolderLock() {
    if (descriptor_ != -1) close(descriptor_);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;
};

void describe(const fs::path& hidden_folder, const std::vector<SetFile>& files) {
  AtomicFile description(hidden_folder / kDescription);
  // Only zero bytes never occur in file names.
  for (const auto& [name, appears, replaced] : files) {
    for (const auto& part : {std::string(appears ? "+" : "-"), name.string(), replaced}) {
      description.write(part + '\0');
    }
  }
  description.commit();
}

/// Whether a name stays below the folder: a description may come from an untrusted archive. Neither
/// `..` nor a link may lead elsewhere.
bool stays_below(const fs::path& folder, const fs::path& name) {
  if (name.empty() || name.is_absolute() || !name.has_filename()) return false;
  fs::path at = folder;
  for (const auto& part : name) {
    if (part == ".." || part == ".") return false;
    std::error_code none;
    if (at != folder && fs::is_symlink(at, none)) return false;
    at /= part;
  }
  return true;
}

std::vector<SetFile> described(const fs::path& hidden_folder) {
  std::vector<SetFile> files;
  const MappedFile description(hidden_folder / kDescription);
  std::istringstream text{std::string(description.bytes())};
  text.exceptions(std::ios::badbit);  // rethrows bad_alloc
  std::string kind, name, replaced;
  while (std::getline(text, kind, '\0') && std::getline(text, name, '\0') &&
         std::getline(text, replaced, '\0')) {
    if (!stays_below(folder_of(hidden_folder), name) || !stays_below(hidden_folder, name)) {
      throw InputError(fmt::format("{} names a file outside its folder, '{}'",
                                   hidden_folder.string(), printable(name)));
    }
    files.push_back({.name = name, .appears = kind == "+", .replaced = replaced});
  }
  return files;
}

/// Moves a file unless the target exists. Returns 0, or -1 and sets errno.
int move_to_free(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::create_directories(folder_of(to), error);
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  // Not every file system can check and rename in one step.
  if (errno != EINVAL && errno != ENOSYS) return -1;
  if (!is_there(to)) return rename(from.c_str(), to.c_str());
  errno = EEXIST;
  return -1;
}

/// Returns the files whose names other programs have taken meanwhile.
std::vector<fs::path> give_names(const fs::path& hidden_folder, const std::vector<SetFile>& files) {
  const fs::path folder = folder_of(hidden_folder);
  // A file that already has its name is no longer in the hidden folder and replaces nothing.
  for (auto file = files.rbegin(); file != files.rend(); ++file) {
    const auto& [name, appears, replaced] = *file;
    if (replaced.empty() || (appears && !is_there(hidden_folder / name))) continue;
    if (identity_of(folder / name) != replaced) continue;
    if (move_to_free(folder / name, hidden_folder / kReplaced / name) != 0) fail(folder / name);
  }
  std::vector<fs::path> taken;
  std::set<fs::path> touched = {folder};
  for (const auto& [name, appears, replaced] : files) {
    if (!appears || !is_there(hidden_folder / name)) continue;
    if (move_to_free(hidden_folder / name, folder / name) != 0) {
      if (errno != EEXIST) fail(folder / name);
      taken.push_back(folder / name);
    }
    touched.insert(folder_of(folder / name));
  }
  for (const auto& one : touched) sync_folder(one);
  return taken;
}

void remove_quietly(const fs::path& hidden_folder) {
  std::error_code ignored;
  fs::remove_all(hidden_folder, ignored);
}

/// The missing folders that the files need, deepest first.
std::vector<fs::path> missing_folders(const fs::path& folder, const std::vector<SetFile>& files) {
  std::set<fs::path> missing;
  for (const auto& file : files) {
    for (fs::path at = file.name.parent_path(); !at.empty(); at = at.parent_path()) {
      if (!is_there(folder / at)) missing.insert(folder / at);
    }
  }
  return {missing.rbegin(), missing.rend()};
}

/// Undoes give_names after a failure: the new files go back and the replaced ones return. If a file
/// cannot be moved, the hidden folder stays, for whoever finishes the set.
void take_names_back(const fs::path& hidden_folder, const std::vector<SetFile>& files,
                     const std::vector<fs::path>& made_folders) {
  const fs::path folder = folder_of(hidden_folder);
  bool all_back = true;
  for (auto file = files.rbegin(); file != files.rend(); ++file) {
    if (!file->appears || is_there(hidden_folder / file->name)) continue;
    all_back &= move_to_free(folder / file->name, hidden_folder / file->name) == 0;
  }
  for (const auto& made : made_folders) rmdir(made.c_str());  // unless it is in use
  for (const auto& file : files) {
    const fs::path replaced = hidden_folder / kReplaced / file.name;
    if (is_there(replaced)) all_back &= move_to_free(replaced, folder / file.name) == 0;
  }
  if (all_back) remove_quietly(hidden_folder);
}

}  // namespace

void commit_file_set(const fs::path& hidden_folder, std::vector<SetFile> files) {
  const fs::path folder = folder_of(hidden_folder);
  const FolderLock lock(folder);
  for (auto& file : files) {
    file.replaced = identity_of(folder / file.name);
    std::error_code none;
    if (fs::is_directory(fs::symlink_status(folder / file.name, none))) {
      errno = EISDIR;
      fail(folder / file.name);
    }
  }
  describe(hidden_folder, files);
  const fs::path complete = name_when_complete(hidden_folder);
  if (rename(hidden_folder.c_str(), complete.c_str()) != 0) fail(complete);
  sync_folder(folder);
  const auto made_folders = missing_folders(folder, files);
  try {
    if (const auto taken = give_names(complete, files); !taken.empty()) {
      throw InputError(fmt::format("cannot write {}: another program has written it meanwhile",
                                   taken.front().string()));
    }
  } catch (...) {
    take_names_back(complete, files, made_folders);
    throw;
  }
  remove_quietly(complete);
}

void finish_file_set(const fs::path& hidden_folder) {
  const FolderLock lock(folder_of(hidden_folder));
  // The description is removed after the last file has its name.
  if (is_there(hidden_folder / kDescription)) give_names(hidden_folder, described(hidden_folder));
  remove_quietly(hidden_folder);
}

}  // namespace mugrad

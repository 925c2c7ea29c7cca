// SPDX-License-Identifier: MIT
#include "core/file_set.h"

#include "core/file_names.h"
#include "core/hidden_files.h"
#include "core/system_call.h"

#include <mugrad/core/atomic_file.h>
#include <mugrad/core/error.h>
#include <mugrad/core/mapped_file.h>
#include <mugrad/core/printable.h>

#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <chrono>
#include <cstdio>
#include <set>
#include <sstream>
#include <thread>

namespace mugrad {
namespace {

namespace fs = std::filesystem;

/// What the hidden folder is to become, as a file in it.
constexpr const char* kDescription = ".description";
/// The files that are replaced, in a folder of it, until all the new ones have their names.
constexpr const char* kReplaced = ".replaced";

[[noreturn]] void fail(const fs::path& file) {
  throw InputError(fmt::format("cannot write {}: {}", file.string(), reason_of(errno)));
}

bool is_there(const fs::path& file) {
  struct stat status {};
  return lstat(file.c_str(), &status) == 0;
}

/// Tells a file from others that had or will have its name; empty: there is none. An inode alone
/// would not do, since its number is used again.
std::string identity_of(const fs::path& file) {
  struct stat status {};
  if (lstat(file.c_str(), &status) != 0) return {};
  return fmt::format("{} {} {} {}", status.st_ino, status.st_size, status.st_mtim.tv_sec,
                     status.st_mtim.tv_nsec);
}

/// While one exists, no other set gives names in the folder, where the file system has locks. Who
/// keeps a lock for long may be waiting for this very process, as `flock FOLDER mugrad ...` does:
/// that is an error after a while. Throws InputError.
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
  // Zero bytes are the only ones that no file name has.
  for (const auto& [name, appears, replaced] : files) {
    for (const auto& part : {std::string(appears ? "+" : "-"), name.string(), replaced}) {
      description.write(part + '\0');
    }
  }
  description.commit();
}

/// Whether a name stays below the folder: a description may come from a stranger, in an archive for
/// instance. Neither `..` nor a link may lead it elsewhere.
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
  text.exceptions(std::ios::badbit);  // throw bad_alloc, not just stop
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

/// Moves a file to a place, unless that is taken. 0, or -1 and errno.
int move_to_free(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::create_directories(folder_of(to), error);
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  // Not every file system can look and name in one step.
  if (errno != EINVAL && errno != ENOSYS) return -1;
  if (!is_there(to)) return rename(from.c_str(), to.c_str());
  errno = EEXIST;
  return -1;
}

/// Returns the files whose places someone else has taken meanwhile.
std::vector<fs::path> give_names(const fs::path& hidden_folder, const std::vector<SetFile>& files) {
  const fs::path folder = folder_of(hidden_folder);
  // A file that has its name already is no longer in the hidden folder, and replaces nothing more.
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

/// The folders that the files need and that are not there, the deepest first.
std::vector<fs::path> missing_folders(const fs::path& folder, const std::vector<SetFile>& files) {
  std::set<fs::path> missing;
  for (const auto& file : files) {
    for (fs::path at = file.name.parent_path(); !at.empty(); at = at.parent_path()) {
      if (!is_there(folder / at)) missing.insert(folder / at);
    }
  }
  return {missing.rbegin(), missing.rend()};
}

/// After give_names has failed: the new files go back and the replaced ones return. Where a file
/// cannot be moved, the hidden folder stays, for whoever finishes the set.
void take_names_back(const fs::path& hidden_folder, const std::vector<SetFile>& files,
                     const std::vector<fs::path>& made_folders) {
  const fs::path folder = folder_of(hidden_folder);
  bool all_back = true;
  for (auto file = files.rbegin(); file != files.rend(); ++file) {
    if (!file->appears || is_there(hidden_folder / file->name)) continue;
    all_back &= move_to_free(folder / file->name, hidden_folder / file->name) == 0;
  }
  for (const auto& made : made_folders) rmdir(made.c_str());  // unless someone uses it
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
  // Its description goes away after the last file has its name.
  if (is_there(hidden_folder / kDescription)) give_names(hidden_folder, described(hidden_folder));
  remove_quietly(hidden_folder);
}

}  // namespace mugrad

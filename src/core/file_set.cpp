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

#include <cstdio>
#include <set>
#include <sstream>

namespace mugrad {
namespace {

namespace fs = std::filesystem;

/// What the hidden folder is to become, as a file in it.
constexpr const char* kDescription = ".description";

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

/// While one exists, no other set gives names in the folder, where the file system has locks.
class FolderLock {
 public:
  explicit FolderLock(const fs::path& folder)
      : descriptor_(open_file(folder, O_RDONLY | O_DIRECTORY)) {
    if (descriptor_ != -1) retried([&] { return flock(descriptor_, LOCK_EX); });
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

/// Moves a complete file to its place. False when that is taken.
bool give_name(const fs::path& complete, const fs::path& file) {
  std::error_code error;
  fs::create_directories(folder_of(file), error);
  if (renameat2(AT_FDCWD, complete.c_str(), AT_FDCWD, file.c_str(), RENAME_NOREPLACE) == 0) {
    return true;
  }
  if (errno == EEXIST) return false;
  // Not every file system can look and name in one step.
  if (errno != EINVAL && errno != ENOSYS) fail(file);
  if (is_there(file)) return false;
  if (rename(complete.c_str(), file.c_str()) != 0) fail(file);
  return true;
}

/// Returns the files whose places someone else has taken meanwhile, and which are gone.
std::vector<fs::path> give_names(const fs::path& hidden_folder, const std::vector<SetFile>& files) {
  const fs::path folder = folder_of(hidden_folder);
  // A file that has its name already is no longer in the hidden folder, and replaces nothing more.
  for (auto file = files.rbegin(); file != files.rend(); ++file) {
    const auto& [name, appears, replaced] = *file;
    if (replaced.empty() || (appears && !is_there(hidden_folder / name))) continue;
    if (identity_of(folder / name) != replaced) continue;
    if (unlink((folder / name).c_str()) != 0) fail(folder / name);
  }
  std::vector<fs::path> taken;
  std::set<fs::path> touched = {folder};
  for (const auto& [name, appears, replaced] : files) {
    if (!appears || !is_there(hidden_folder / name)) continue;
    if (!give_name(hidden_folder / name, folder / name)) taken.push_back(folder / name);
    touched.insert(folder_of(folder / name));
  }
  for (const auto& one : touched) sync_folder(one);
  std::error_code ignored;
  fs::remove_all(hidden_folder, ignored);
  return taken;
}

}  // namespace

void commit_file_set(const fs::path& hidden_folder, std::vector<SetFile> files) {
  const fs::path folder = folder_of(hidden_folder);
  const FolderLock lock(folder);
  for (auto& file : files) file.replaced = identity_of(folder / file.name);
  describe(hidden_folder, files);
  const fs::path complete = name_when_complete(hidden_folder);
  if (rename(hidden_folder.c_str(), complete.c_str()) != 0) fail(complete);
  sync_folder(folder);
  if (const auto taken = give_names(complete, files); !taken.empty()) {
    throw InputError(fmt::format("cannot write {}: another program has written it meanwhile",
                                 taken.front().string()));
  }
}

void finish_file_set(const fs::path& hidden_folder) {
  const FolderLock lock(folder_of(hidden_folder));
  // Its description goes away after the last file has its name.
  if (is_there(hidden_folder / kDescription)) {
    give_names(hidden_folder, described(hidden_folder));
  } else {
    std::error_code ignored;
    fs::remove_all(hidden_folder, ignored);
  }
}

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#include "core/file_set.h"

#include "core/file_names.h"
#include "core/hidden_files.h"
#include "core/system_call.h"

#include <mugrad/core/atomic_file.h>
#include <mugrad/core/error.h>
#include <mugrad/core/mapped_file.h>

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

std::vector<SetFile> described(const fs::path& hidden_folder) {
  std::vector<SetFile> files;
  const MappedFile description(hidden_folder / kDescription);
  std::istringstream text{std::string(description.bytes())};
  std::string kind, name, replaced;
  while (std::getline(text, kind, '\0') && std::getline(text, name, '\0') &&
         std::getline(text, replaced, '\0')) {
    files.push_back({.name = name, .appears = kind == "+", .replaced = replaced});
  }
  return files;
}

/// Moves a complete file to its place, unless that is taken.
void give_name(const fs::path& complete, const fs::path& file) {
  std::error_code error;
  fs::create_directories(folder_of(file), error);
  if (renameat2(AT_FDCWD, complete.c_str(), AT_FDCWD, file.c_str(), RENAME_NOREPLACE) == 0) return;
  if (errno == EEXIST) return;
  // Not every file system can look and name in one step.
  if (errno != EINVAL && errno != ENOSYS) fail(file);
  if (!is_there(file) && rename(complete.c_str(), file.c_str()) != 0) fail(file);
}

void give_names(const fs::path& hidden_folder, const std::vector<SetFile>& files) {
  const fs::path folder = folder_of(hidden_folder);
  // A file that has its name already is no longer in the hidden folder, and replaces nothing more.
  for (auto file = files.rbegin(); file != files.rend(); ++file) {
    const auto& [name, appears, replaced] = *file;
    if (replaced.empty() || (appears && !is_there(hidden_folder / name))) continue;
    if (identity_of(folder / name) != replaced) continue;
    if (unlink((folder / name).c_str()) != 0) fail(folder / name);
  }
  std::set<fs::path> touched = {folder};
  for (const auto& [name, appears, replaced] : files) {
    if (!appears || !is_there(hidden_folder / name)) continue;
    give_name(hidden_folder / name, folder / name);
    touched.insert(folder_of(folder / name));
  }
  for (const auto& one : touched) sync_folder(one);
  std::error_code ignored;
  fs::remove_all(hidden_folder, ignored);
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
  give_names(complete, files);
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

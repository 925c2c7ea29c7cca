// SPDX-License-Identifier: MIT
#include "core/file_names.h"
#include "core/file_set.h"
#include "core/folder_entries.h"
#include "core/system_call.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <array>
#include <cstdint>
#include <fstream>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace mugrad {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBegin = ".mugrad-";
constexpr std::string_view kIncomplete = ".tmp";
constexpr std::string_view kComplete = ".set";
constexpr std::size_t kDigits = 16;  // length of each of the two numbers in a name

/// Identifies this boot of this machine.
const std::string& this_boot() {
  static const std::string number = [] {
    std::string id;
    std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), id);
    std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
    for (const char c : id) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return fmt::format("{:016x}", hash);
  }();
  return number;
}

/// The boot in a hidden name; empty: it is not a hidden name.
std::string_view boot_in(std::string_view name) {
  constexpr std::size_t kSize = kBegin.size() + kDigits + 1 + kDigits + kIncomplete.size();
  static_assert(kIncomplete.size() == kComplete.size());
  const bool is_hidden = name.size() == kSize && name.starts_with(kBegin) &&
                         (name.ends_with(kIncomplete) || name.ends_with(kComplete));
  if (!is_hidden) return {};
  const auto boot = name.substr(kBegin.size(), kDigits);
  const auto number = name.substr(kBegin.size() + kDigits + 1, kDigits);
  constexpr std::string_view kHexadecimal = "0123456789abcdef";
  const bool is_ours = name[kBegin.size() + kDigits] == '-' &&
                       boot.find_first_not_of(kHexadecimal) == std::string_view::npos &&
                       number.find_first_not_of(kHexadecimal) == std::string_view::npos;
  return is_ours ? boot : std::string_view();
}

/// Whether the locks of all processes that can write to the folder are visible here.
bool is_local(const fs::path& folder) {
  constexpr std::array<long, 6> kLocal = {EXT4_SUPER_MAGIC,  XFS_SUPER_MAGIC,
                                          BTRFS_SUPER_MAGIC, TMPFS_MAGIC,
                                          F2FS_SUPER_MAGIC,  OVERLAYFS_SUPER_MAGIC};
  struct statfs system {};
  if (statfs(folder.c_str(), &system) != 0) return false;
  for (const long type : kLocal) {
    if (static_cast<long>(system.f_type) == type) return true;
  }
  return false;
}

void finish_if_possible(const fs::path& set) {
  try {
    finish_file_set(set);
  } catch (const InputError&) {
    // It is left for the next process, which may have more rights.
  }
}

/// Removes or finishes a file that nobody has locked.
void end_if_left(const fs::path& hidden) {
  struct stat status {};
  if (lstat(hidden.c_str(), &status) != 0) return;
  const bool is_folder = S_ISDIR(status.st_mode);
  if (!is_folder && !S_ISREG(status.st_mode)) return;
  // In a folder that others can write to, files of other users are not ours to remove.
  if (status.st_uid != geteuid()) return;
  const int descriptor =
      open_file(hidden, (is_folder ? O_RDONLY | O_DIRECTORY : O_RDWR) | O_NOFOLLOW);
  if (descriptor == -1) return;
  const bool is_mine = retried([&] { return flock(descriptor, LOCK_EX | LOCK_NB); }) == 0;
  // It may have got its name, or another process may have removed it first.
  if (is_mine && leads_to(hidden, descriptor)) {
    std::error_code ignored;
    hidden.native().ends_with(kComplete) ? finish_if_possible(hidden)
                                         : void(fs::remove_all(hidden, ignored));
  }
  close(descriptor);
}

/// Hidden files of the folder with this ending, whose locks are visible here.
std::vector<fs::path> hidden_files_in(const fs::path& folder, std::string_view ending) {
  std::vector<fs::path> found;
  for (const auto& [name, is_folder] : entries_of(folder)) {
    const auto boot = boot_in(name);
    if (boot.empty() || !name.ends_with(ending)) continue;
    if (boot == this_boot() || is_local(folder)) found.push_back(folder / name);
  }
  return found;
}

}  // namespace

fs::path hidden_name_in(const fs::path& folder) {
  std::random_device random;
  const auto number = (std::uint64_t{random()} << 32U) | random();
  return folder / fmt::format("{}{}-{:016x}{}", kBegin, this_boot(), number, kIncomplete);
}

fs::path name_when_complete(const fs::path& hidden_folder) {
  fs::path name = hidden_folder;
  return name.replace_extension(kComplete);
}

bool lock_hidden(int descriptor) noexcept {
  return retried([&] { return flock(descriptor, LOCK_EX | LOCK_NB); }) == 0 || errno != EWOULDBLOCK;
}

int create_hidden(const fs::path& folder, int flags, fs::path& name) {
  while (true) {
    fs::path hidden = hidden_name_in(folder);
    const int descriptor = open_file(hidden, O_CREAT | O_EXCL | flags);
    if (descriptor == -1) return -1;
    // Before it was locked, it looked like a leftover.
    if (lock_hidden(descriptor) && leads_to(hidden, descriptor)) {
      name = std::move(hidden);
      return descriptor;
    }
    close(descriptor);
  }
}

void remove_leftovers(const fs::path& folder) noexcept {
  try {
    for (const auto& hidden : hidden_files_in(folder, "")) end_if_left(hidden);
  } catch (const std::exception&) {
    // The next process tries again.
  }
}

void finish_file_sets(const fs::path& folder) noexcept {
  try {
    for (const auto& hidden : hidden_files_in(folder, kComplete)) end_if_left(hidden);
  } catch (const std::exception&) {
    // As above.
  }
}

void remove_leftovers_once(const fs::path& folder) noexcept {
  static std::mutex mutex;
  // Inode numbers are reused, so the path is part of the key.
  static std::set<std::tuple<fs::path, dev_t, ino_t>> done;
  struct stat status {};
  if (stat(folder.c_str(), &status) != 0) return;
  try {
    const std::lock_guard lock(mutex);
    if (!done.emplace(fs::absolute(folder), status.st_dev, status.st_ino).second) return;
  } catch (const std::exception&) {
    return;
  }
  remove_leftovers(folder);
}

}  // namespace mugrad

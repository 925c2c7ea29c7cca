// SPDX-License-Identifier: MIT
#include "core/folder_entries.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <memory>
#include <string_view>
#include <system_error>

namespace mugrad {

std::vector<FolderEntry> entries_of(const std::filesystem::path& folder) {
  const auto fail = [&] {
    throw std::filesystem::filesystem_error("cannot read the folder", folder,
                                            std::error_code(errno, std::generic_category()));
  };
  struct Close {
    void operator()(DIR* open) const noexcept { closedir(open); }
  };
  const std::unique_ptr<DIR, Close> open(opendir(folder.c_str()));
  if (open == nullptr) fail();
  std::vector<FolderEntry> entries;
  while (true) {
    errno = 0;
    const dirent* const next = readdir(open.get());
    if (next == nullptr) break;
    const std::string_view name = next->d_name;
    if (name == "." || name == "..") continue;
    bool is_folder = next->d_type == DT_DIR;
    if (next->d_type == DT_UNKNOWN) {  // some file systems do not fill it in
      struct stat status {};
      is_folder = fstatat(dirfd(open.get()), next->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
                  S_ISDIR(status.st_mode);
    }
    entries.push_back({std::string(name), is_folder});
  }
  if (errno != 0) fail();
  return entries;
}

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#include "core/file_names.h"

#include "core/system_call.h"

#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <charconv>
#include <string>
#include <utility>

namespace mugrad {
namespace {

namespace fs = std::filesystem;

bool is_in_proc(const fs::path& folder) {
  struct statfs system {};
  return statfs(folder.c_str(), &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

/// The descriptor number in a link of /proc, if it is an open file of ours; else -1.
int own_descriptor(const fs::path& link) {
  const std::string name = link.filename().string();
  int number = -1;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc{} || end != name.data() + name.size() || number < 0) return -1;
  struct stat named {};
  struct stat open {};
  const bool same = stat(link.c_str(), &named) == 0 && fstat(number, &open) == 0 &&
                    named.st_dev == open.st_dev && named.st_ino == open.st_ino;
  return same ? number : -1;
}

}  // namespace

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

LinkEnd follow_links(fs::path path) {
  constexpr int kMostLinks = 40;  // as in the kernel
  LinkEnd end{.path = std::move(path)};
  for (int links = 0; links < kMostLinks; ++links) {
    std::error_code not_a_link;
    const fs::path next = fs::read_symlink(end.path, not_a_link);
    if (not_a_link) break;
    const fs::path folder = folder_of(end.path);
    if (is_in_proc(folder)) {
      end.is_open_file = true;
      end.descriptor = own_descriptor(end.path);
    }
    end.path = folder / next;
  }
  return end;
}

void sync_folder(const fs::path& folder) {
  const int descriptor = open_file(folder, O_RDONLY | O_DIRECTORY);
  if (descriptor == -1) return;
  retried([&] { return fsync(descriptor); });
  close(descriptor);
}

bool leads_to(const fs::path& path, int descriptor) noexcept {
  struct stat named {};
  struct stat open {};
  return stat(path.c_str(), &named) == 0 && fstat(descriptor, &open) == 0 &&
         named.st_dev == open.st_dev && named.st_ino == open.st_ino;
}

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#include "core/file_names.h"

#include "core/system_call.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>

namespace mugrad {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBegin = ".mugrad-";
constexpr std::string_view kEnd = ".tmp";

bool is_in_proc(const fs::path& folder) {
  struct statfs system {};
  return statfs(folder.c_str(), &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

}  // namespace

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

fs::path hidden_name_in(const fs::path& folder) {
  std::random_device random;
  const auto number = (std::uint64_t{random()} << 32U) | random();
  return folder / fmt::format("{}{:016x}{}", kBegin, number, kEnd);
}

bool is_hidden_name(const fs::path& file) {
  const std::string name = file.filename().string();
  return name.starts_with(kBegin) && name.ends_with(kEnd);
}

LinkEnd follow_links(fs::path path) {
  constexpr int kMostLinks = 40;  // as in the kernel
  LinkEnd end{.path = std::move(path)};
  for (int links = 0; links < kMostLinks; ++links) {
    std::error_code not_a_link;
    const fs::path next = fs::read_symlink(end.path, not_a_link);
    if (not_a_link) break;
    const fs::path folder = folder_of(end.path);
    end.is_open_file = end.is_open_file || is_in_proc(folder);
    end.path = folder / next;
  }
  return end;
}

void sync_folder(const fs::path& folder) {
  const int descriptor =
      retried([&] { return open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
  if (descriptor == -1) return;
  retried([&] { return fsync(descriptor); });
  close(descriptor);
}

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#include "core/file_identity.h"

#include "core/file_names.h"
#include "core/input/input_name.h"

#include <sys/stat.h>
#include <unistd.h>

namespace mugrad {
namespace {

namespace fs = std::filesystem;

std::optional<FileIdentity> identity_in(const struct stat& status) {
  if (!S_ISREG(status.st_mode)) return std::nullopt;
  return FileIdentity{.device = status.st_dev, .inode = status.st_ino};
}

}  // namespace

std::optional<FileIdentity> identity_of(const fs::path& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) == 0) return identity_in(status);
  std::error_code unknown;
  // stat has followed links; a link to a missing file must be followed, too.
  const auto wanted = fs::weakly_canonical(fs::absolute(follow_links(path).path, unknown), unknown);
  if (unknown) return std::nullopt;
  fs::path there = wanted;
  while (stat(there.c_str(), &status) != 0) {
    if (there == there.parent_path()) return std::nullopt;
    there = there.parent_path();
  }
  return FileIdentity{
      .device = status.st_dev, .inode = status.st_ino, .missing = wanted.lexically_relative(there)};
}

std::optional<FileIdentity> identity_of(int descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0) return std::nullopt;
  return identity_in(status);
}

std::optional<FileIdentity> stream_identity_of(const fs::path& path) {
  struct stat status {};
  if (is_standard_input(path)) {
    // A closed one is a stream, too: reading it is an error that says so.
    fstat(STDIN_FILENO, &status);
  } else if (stat(path.c_str(), &status) != 0 ||
             !(S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode))) {
    return std::nullopt;
  }
  return FileIdentity{.device = status.st_dev, .inode = status.st_ino};
}

bool names_open_file(const fs::path& path) { return follow_links(path).is_open_file; }

}  // namespace mugrad

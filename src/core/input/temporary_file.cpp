// SPDX-License-Identifier: MIT
#include "core/input/temporary_file.h"

#include "core/file_names.h"
#include "core/system_call.h"

#include <mugrad/core/error.h>
#include <mugrad/core/types.h>

#include <fmt/format.h>
#include <sys/statvfs.h>

#include <cstdlib>
#include <limits>

namespace mugrad {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kOwnerOnly = 0600;

fs::path temporary_folder() {
  const char* const given = std::getenv("TMPDIR");
  return given == nullptr || *given == '\0' ? "/tmp" : given;
}

/// Returns -1 and sets errno on failure.
int create_unnamed(const fs::path& folder) {
  // O_EXCL: it never gets a name.
  const int unnamed = open_file(folder, O_TMPFILE | O_EXCL | O_RDWR, kOwnerOnly);
  const bool is_unsupported =
      errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL || errno == ENOENT;
  if (unnamed != -1 || !is_unsupported) return unnamed;
  // A file system without unnamed files. A process killed between these calls leaves an empty
  // hidden file, which the next one that writes files there removes.
  const fs::path hidden = hidden_name_in(folder);
  const int named = open_file(hidden, O_CREAT | O_EXCL | O_RDWR, kOwnerOnly);
  if (named != -1) unlink(hidden.c_str());
  return named;
}

}  // namespace

TemporaryFile::TemporaryFile() : folder_(temporary_folder()), file_(create_unnamed(folder_)) {
  if (file_.number() == -1) fail();
}

double TemporaryFile::room() const noexcept {
  struct statvfs system {};
  if (fstatvfs(file_.number(), &system) != 0) return std::numeric_limits<double>::infinity();
  return static_cast<double>(system.f_bavail) * static_cast<double>(system.f_frsize);
}

void TemporaryFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto count = write_some(file_.number(), bytes);
    if (count == -1) fail();
    bytes.remove_prefix(as_size(count));
  }
}

void TemporaryFile::fail() const {
  throw InputError(fmt::format(
      "cannot write a temporary file in {}: {}; set TMPDIR to a folder with room for the data",
      folder_.string(), reason_of(errno)));
}

}  // namespace mugrad

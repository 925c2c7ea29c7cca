// SPDX-License-Identifier: MIT
#include "core/file_names.h"
#include "core/hidden_files.h"
#include "core/system_call.h"

#include <mugrad/core/atomic_file.h>
#include <mugrad/core/error.h>

#include <fmt/format.h>
#include <sys/stat.h>

#include <utility>

namespace mugrad {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;
constexpr mode_t kPermissions = 0666;  // less what the umask takes away

/// Gives the nameless file behind `descriptor` a name that is not taken. 0, or -1 and errno.
int link_to(int descriptor, const fs::path& name) {
  const std::string source = fmt::format("/proc/self/fd/{}", descriptor);
  return linkat(AT_FDCWD, source.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW);
}

}  // namespace

AtomicFile::AtomicFile(fs::path target) : target_(std::move(target)) {
  buffer_.reserve(kBufferBytes);
  if (target_.empty()) fail("the file name is empty");
  struct stat status {};
  const bool exists = stat(target_.c_str(), &status) == 0;
  if (!exists && errno != ENOENT && errno != ENOTDIR) fail(reason_of(errno));
  if (!target_.has_filename() || (exists && S_ISDIR(status.st_mode))) fail("it is a folder");

  LinkEnd end = follow_links(target_);
  destination_ = std::move(end.path);
  direct_ = exists && (!S_ISREG(status.st_mode) || end.is_open_file);
  if (direct_) {
    open_directly(end.descriptor);
  } else {
    open_temporary();
  }
}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::write(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > kBufferBytes) flush();
  if (bytes.size() >= kBufferBytes) {
    write_through(bytes);
  } else {
    buffer_.append(bytes);
  }
}

void AtomicFile::commit() {
  flush();
  if (!direct_) {
    if (retried([&] { return fsync(descriptor_); }) != 0) fail(reason_of(errno));
    give_name();
    sync_folder(folder_of(destination_));
  }
  // After close() the descriptor is gone, whatever it returns.
  if (close(std::exchange(descriptor_, -1)) != 0 && direct_) fail(reason_of(errno));
}

void AtomicFile::open_temporary() {
  const fs::path folder = folder_of(destination_);
  remove_leftovers_once(folder);
  // Without /proc a nameless file could never be given a name.
  if (access("/proc/self/fd", X_OK) == 0) {
    descriptor_ = open_file(folder, O_TMPFILE | O_RDWR, kPermissions);
    if (descriptor_ != -1) {
      lock_hidden(descriptor_);
      return;
    }
    // The ways in which systems say that they have no nameless files.
    const bool unsupported =
        errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL || errno == ENOENT;
    if (!unsupported && errno != ENOTDIR) fail(reason_of(errno));
  }
  while (temporary_.empty()) {
    fs::path name = hidden_name_in(folder);
    descriptor_ = open_file(name, O_CREAT | O_EXCL | O_RDWR, kPermissions);
    if (descriptor_ == -1) break;
    // Until it was locked it looked like one that is left over.
    if (lock_hidden(descriptor_) && leads_to(name, descriptor_)) {
      temporary_ = std::move(name);
      return;
    }
    close(descriptor_);
  }
  if (errno == ENOENT) fail(fmt::format("the folder {} does not exist", folder.string()));
  if (errno == ENOTDIR) fail(fmt::format("{} is not a folder", folder.string()));
  fail(reason_of(errno));
}

void AtomicFile::open_directly(int known_as) {
  // An open file of ours is written to where it stands, so that what goes there otherwise, such as
  // standard output, comes before or after and not in its place.
  const int flags = known_as == -1 ? -1 : fcntl(known_as, F_GETFL);
  const bool is_writable = flags != -1 && (flags & O_PATH) == 0 && (flags & O_ACCMODE) != O_RDONLY;
  descriptor_ = is_writable ? fcntl(known_as, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
                            : open_file(target_, O_WRONLY | O_APPEND | O_NOCTTY);
  if (descriptor_ == -1) fail(reason_of(errno));
}

void AtomicFile::write_through(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto count = write_some(descriptor_, bytes);
    if (count == -1) fail(reason_of(errno));
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void AtomicFile::flush() {
  write_through(buffer_);
  buffer_.clear();
}

void AtomicFile::give_name() {
  if (temporary_.empty()) {
    if (link_to(descriptor_, destination_) == 0) return;
    if (errno != EEXIST) fail(reason_of(errno));
    // A link never replaces a file; a rename does, and in one step.
    fs::path name = hidden_name_in(folder_of(destination_));
    if (link_to(descriptor_, name) != 0) fail(reason_of(errno));
    temporary_ = std::move(name);
  }
  if (rename(temporary_.c_str(), destination_.c_str()) != 0) fail(reason_of(errno));
  temporary_.clear();
}

void AtomicFile::discard() noexcept {
  if (descriptor_ != -1) close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
  descriptor_ = -1;
  temporary_.clear();
  buffer_.clear();
}

void AtomicFile::fail(const std::string& reason) {
  discard();
  throw InputError(fmt::format("cannot write {}: {}", target_.string(), reason));
}

}  // namespace mugrad

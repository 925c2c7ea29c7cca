// SPDX-License-Identifier: MIT
#include "core/atomic_file.h"

#include "core/file_names.h"
#include "core/system_call.h"

#include <mugrad/core/error.h>
#include <mugrad/core/types.h>

#include <fmt/format.h>
#include <sys/stat.h>

#include <utility>

namespace mugrad {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

/// Gives the unnamed file behind `descriptor` an unused name. Returns 0, or -1 and sets errno.
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
  // close() always releases the descriptor, whatever it returns.
  if (close(std::exchange(descriptor_, -1)) != 0 && direct_) fail(reason_of(errno));
}

void AtomicFile::open_temporary() {
  const fs::path folder = folder_of(destination_);
  remove_leftovers_once(folder);
  // Without /proc an unnamed file could never get a name.
  if (access("/proc/self/fd", X_OK) == 0) {
    descriptor_ = open_file(folder, O_TMPFILE | O_RDWR);
    if (descriptor_ != -1) {
      lock_hidden(descriptor_);
      return;
    }
    // The errors of systems without unnamed files.
    const bool unsupported =
        errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL || errno == ENOENT;
    if (!unsupported && errno != ENOTDIR) fail(reason_of(errno));
  }
  descriptor_ = create_hidden(folder, O_RDWR, temporary_);
  if (descriptor_ != -1) return;
  if (errno == ENOENT) fail(fmt::format("the folder {} does not exist", folder.string()));
  if (errno == ENOTDIR) fail(fmt::format("{} is not a folder", folder.string()));
  fail(reason_of(errno));
}

void AtomicFile::open_directly(int known_as) {
  // An open file of ours is written at its current position, so that other output there, such as
  // standard output, is not overwritten.
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
    bytes.remove_prefix(as_size(count));
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
    // A link never replaces a file; a rename does, in one step.
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

void write_file(const std::filesystem::path& target, std::string_view bytes) {
  AtomicFile file(target);
  file.write(bytes);
  file.commit();
}

}  // namespace mugrad

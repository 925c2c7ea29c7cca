// SPDX-License-Identifier: MIT
#include "mpi/shared_file.h"

#include "core/file_names.h"
#include "core/system_call.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>

namespace mugrad::mpi {

SharedFile::SharedFile(const Communicator& among, std::filesystem::path target)
    : among_(among), target_(std::move(target)) {
  const std::string reason = among_.share(among_.is_first() ? make() : "");
  if (!reason.empty()) fail(reason);
  temporary_ = among_.share(temporary_.string());
  if (among_.is_first()) return;
  descriptor_ = open_file(temporary_, O_WRONLY);
  if (descriptor_ != -1) return;
  const int error = errno;
  unlink(temporary_.c_str());
  fail(reason_of(error));
}

SharedFile::~SharedFile() {
  if (descriptor_ != -1) close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

std::string SharedFile::make() {
  struct stat status {};
  const bool exists = stat(target_.c_str(), &status) == 0;
  if (!target_.has_filename() || (exists && S_ISDIR(status.st_mode))) return "it is a folder";
  const LinkEnd end = follow_links(target_);
  if (exists && (!S_ISREG(status.st_mode) || end.is_open_file)) {
    return "it is not a file that several ranks can write to";
  }
  destination_ = end.path;
  remove_leftovers_once(folder_of(destination_));
  descriptor_ = create_hidden(folder_of(destination_), O_WRONLY, temporary_);
  return descriptor_ == -1 ? reason_of(errno) : "";
}

void SharedFile::fail(const std::string& reason) const {
  throw InputError(fmt::format("cannot write {}: {}", target_.string(), reason));
}

void SharedFile::write_at(Index offset, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written =
        retried([&] { return pwrite(descriptor_, bytes.data(), bytes.size(), offset); });
    if (written == -1) fail(reason_of(errno));
    offset += written;
    bytes.remove_prefix(as_size(written));
  }
}

void SharedFile::commit() {
  if (retried([&] { return fsync(descriptor_); }) != 0) fail(reason_of(errno));
  MPI_Barrier(among_.handle());
  if (among_.is_first()) {
    if (rename(temporary_.c_str(), destination_.c_str()) != 0) fail(reason_of(errno));
    sync_folder(folder_of(destination_));
  }
  MPI_Barrier(among_.handle());
  temporary_.clear();
}

}  // namespace mugrad::mpi

// SPDX-License-Identifier: MIT
#include "mpi/shared_file.h"

#include <mugrad/core/error.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace mugrad::mpi {

SharedFile::SharedFile(const Communicator& among, std::filesystem::path target)
    : among_(among), target_(std::move(target)), temporary_(target_) {
  temporary_.replace_filename(fmt::format(".{}.part", target_.filename().string()));
  constexpr mode_t kMode = 0666;
  if (among_.is_first()) {
    descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kMode);
    if (descriptor_ < 0) fail();
  }
  MPI_Barrier(among_.handle());
  if (!among_.is_first()) descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor_ < 0) fail();
}

SharedFile::~SharedFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

void SharedFile::fail() const {
  throw InputError(fmt::format("cannot write {}: {}", target_.string(), std::strerror(errno)));
}

void SharedFile::write_at(Index offset, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = pwrite(descriptor_, bytes.data(), bytes.size(), offset);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail();
    offset += written;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void SharedFile::commit() {
  if (fsync(descriptor_) != 0) fail();
  MPI_Barrier(among_.handle());
  if (among_.is_first() && rename(temporary_.c_str(), target_.c_str()) != 0) fail();
  MPI_Barrier(among_.handle());
}

}  // namespace mugrad::mpi

// SPDX-License-Identifier: MIT
#include "core/mapped_file.h"

#include "core/mapping_guard.h"
#include "core/system_call.h"

#include <mugrad/core/types.h>

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <utility>

namespace mugrad {
namespace {

/// Reads a regular file from its beginning, wherever its position is: others may share it.
std::string read_to_end(int descriptor, bool is_regular, const std::string& name) {
  std::string content;
  std::array<char, 1 << 16> block;
  while (true) {
    const auto count = retried([&] {
      return is_regular ? pread(descriptor, block.data(), block.size(), std::ssize(content))
                        : read(descriptor, block.data(), block.size());
    });
    if (count == -1) fail_to_read(name, reason_of(errno));
    if (count == 0) return content;
    content.append(block.data(), as_size(count));
  }
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path)
    : MappedFile(open_to_read(path), path.string()) {}

MappedFile::MappedFile(Descriptor file, std::string name)
    : file_(std::move(file)), name_(std::move(name)) {
  struct stat status {};
  if (fstat(file_.number(), &status) != 0) fail_to_read(name_, reason_of(errno));
  if (S_ISDIR(status.st_mode)) fail_to_read(name_, "it is a folder");
  const bool is_regular = S_ISREG(status.st_mode);
  // The size may be wrong: files of /proc have size 0 and still contain text.
  if (is_regular && status.st_size > 0) map(as_size(status.st_size));
  if (guard_ != nullptr) return;
  copy_ = read_to_end(file_.number(), is_regular, name_);
  bytes_ = copy_;
}

MappedFile::~MappedFile() {
  if (guard_ == nullptr) return;
  guard_.reset();
  munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

void MappedFile::map(std::size_t size) {
  void* const start = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file_.number(), 0);
  if (start == MAP_FAILED) return;
  const auto* const begin = static_cast<const char*>(start);
  auto guard = std::make_unique<MappingGuard>(begin, size);
  if (!guard->is_watching()) {
    munmap(start, size);
    return;
  }
  bytes_ = {begin, size};
  guard_ = std::move(guard);
}

void MappedFile::release_before(const char* at) const noexcept {
  if (guard_ == nullptr) return;
  const auto page = as_size(sysconf(_SC_PAGESIZE));
  const auto size = as_size(at - bytes_.data()) / page * page;
  // If the system does not support it, only more memory stays in use.
  if (size > 0) madvise(const_cast<char*>(bytes_.data()), size, MADV_DONTNEED);
}

void MappedFile::require_whole() const {
  if (guard_ == nullptr) return;
  struct stat status {};
  if (fstat(file_.number(), &status) != 0) fail_to_read(name_, reason_of(errno));
  const auto left = as_size(status.st_size);
  if (left < bytes_.size()) {
    fail_to_read(name_, fmt::format("it was truncated while it was read: of {} bytes, {} are left",
                                    bytes_.size(), left));
  }
  if (guard_->has_lost()) {
    fail_to_read(name_, "it was truncated while it was read, or its disk has failed");
  }
}

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#include "core/mapped_file.h"

#include "core/file_names.h"
#include "core/mapping_guard.h"
#include "core/system_call.h"

#include <mugrad/core/error.h>
#include <mugrad/core/types.h>

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>

namespace mugrad {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& reason) {
  throw InputError(fmt::format("cannot read {}: {}", path.string(), reason));
}

/// Opens a file, which may belong to a set that a killed process had begun to name.
int opened(const std::filesystem::path& path) {
  int descriptor = open_file(path, O_RDONLY);
  if (descriptor == -1 && errno == ENOENT) {
    std::error_code unknown;
    const auto folder = folder_of(std::filesystem::absolute(path, unknown));
    finish_file_sets(folder);
    finish_file_sets(folder_of(folder));
    descriptor = open_file(path, O_RDONLY);
  }
  if (descriptor == -1) fail(path, reason_of(errno));
  return descriptor;
}

std::string read_to_end(int descriptor, const std::filesystem::path& path) {
  std::string content;
  std::array<char, 1 << 16> block;
  while (true) {
    const auto count = retried([&] { return read(descriptor, block.data(), block.size()); });
    if (count == -1) fail(path, reason_of(errno));
    if (count == 0) return content;
    content.append(block.data(), as_size(count));
  }
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) : path_(path), descriptor_(opened(path)) {
  try {
    struct stat status {};
    if (fstat(descriptor_, &status) != 0) fail(path_, reason_of(errno));
    if (S_ISDIR(status.st_mode)) fail(path_, "it is a folder");
    // The size may be wrong: files of /proc have size 0 and still contain text.
    if (S_ISREG(status.st_mode) && status.st_size > 0) {
      map(as_size(status.st_size));
    }
    if (guard_ != nullptr) return;
    copy_ = read_to_end(descriptor_, path_);
    bytes_ = copy_;
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

MappedFile::~MappedFile() {
  if (guard_ != nullptr) {
    guard_.reset();
    munmap(const_cast<char*>(bytes_.data()), bytes_.size());
  }
  close(descriptor_);
}

void MappedFile::map(std::size_t size) {
  void* const start = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor_, 0);
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
  if (fstat(descriptor_, &status) != 0) fail(path_, reason_of(errno));
  const auto left = as_size(status.st_size);
  if (left < bytes_.size()) {
    fail(path_, fmt::format("it was truncated while it was read: of {} bytes, {} are left",
                            bytes_.size(), left));
  }
  if (guard_->has_lost()) {
    fail(path_, "it was truncated while it was read, or its disk has failed");
  }
}

}  // namespace mugrad

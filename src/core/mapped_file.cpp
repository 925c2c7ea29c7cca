// SPDX-License-Identifier: MIT
#include "core/system_call.h"

#include <mugrad/core/error.h>
#include <mugrad/core/mapped_file.h>

#include <fcntl.h>
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

/// An open file, closed at the end of the scope. The mapping outlives it.
class OpenFile {
 public:
  explicit OpenFile(const std::filesystem::path& path)
      : descriptor_(retried([&] { return open(path.c_str(), O_RDONLY | O_CLOEXEC); })) {
    if (descriptor_ == -1) fail(path, reason_of(errno));
  }
  ~OpenFile() { close(descriptor_); }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  int descriptor() const noexcept { return descriptor_; }

 private:
  int descriptor_;
};

std::string read_to_end(const OpenFile& file, const std::filesystem::path& path) {
  std::string content;
  std::array<char, 1 << 16> block;
  while (true) {
    const auto count = retried([&] { return read(file.descriptor(), block.data(), block.size()); });
    if (count == -1) fail(path, reason_of(errno));
    if (count == 0) return content;
    content.append(block.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) {
  const OpenFile file(path);
  struct stat status {};
  if (fstat(file.descriptor(), &status) != 0) fail(path, reason_of(errno));
  if (S_ISDIR(status.st_mode)) fail(path, "it is a folder");

  // A size of 0 may be a lie: the files of /proc have one and still hold text.
  if (S_ISREG(status.st_mode) && status.st_size > 0) {
    const auto size = static_cast<std::size_t>(status.st_size);
    void* start = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.descriptor(), 0);
    if (start != MAP_FAILED) {
      bytes_ = {static_cast<const char*>(start), size};
      mapped_ = true;
      return;
    }
  }
  copy_ = read_to_end(file, path);
  bytes_ = copy_;
}

void MappedFile::release_before(const char* at) const noexcept {
  if (!mapped_) return;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const auto size = static_cast<std::size_t>(at - bytes_.data()) / page * page;
  // Advice: without it all is as right, only larger.
  if (size > 0) madvise(const_cast<char*>(bytes_.data()), size, MADV_DONTNEED);
}

MappedFile::~MappedFile() {
  if (mapped_) munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

}  // namespace mugrad

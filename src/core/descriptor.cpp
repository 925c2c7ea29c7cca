// SPDX-License-Identifier: MIT
#include "core/descriptor.h"

#include "core/file_names.h"
#include "core/system_call.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>

namespace mugrad {

Descriptor::~Descriptor() {
  if (number_ != -1) close(number_);
}

Descriptor open_to_read(const std::filesystem::path& path) {
  int descriptor = open_file(path, O_RDONLY);
  if (descriptor == -1 && errno == ENOENT) {
    std::error_code unknown;
    const auto folder = folder_of(std::filesystem::absolute(path, unknown));
    finish_file_sets(folder);
    finish_file_sets(folder_of(folder));
    descriptor = open_file(path, O_RDONLY);
  }
  if (descriptor == -1) fail_to_read(path.string(), reason_of(errno));
  return Descriptor(descriptor);
}

Descriptor duplicate(int descriptor, const std::string& name) {
  const int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (copy == -1) fail_to_read(name, reason_of(errno));
  return Descriptor(copy);
}

void fail_to_read(const std::string& name, const std::string& reason) {
  throw InputError(fmt::format("cannot read {}: {}", name, reason));
}

}  // namespace mugrad

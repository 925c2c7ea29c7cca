// SPDX-License-Identifier: MIT
// The only source that is compiled with paths of this machine: a compiler cache can share the
// objects of all others between clones.
#include "support/paths.h"

namespace mugrad::testing {

std::filesystem::path in_repository(const std::filesystem::path& path) {
  return std::filesystem::path(MUGRAD_SOURCE_DIR) / path;
}

std::string program_path() { return MUGRAD_PROGRAM; }

}  // namespace mugrad::testing

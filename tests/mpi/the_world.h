// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/communicator.h"
#include "support/temporary_folder.h"

#include <mugrad/mpi/train.h>

#include <filesystem>
#include <optional>
#include <string_view>

namespace mugrad::testing {

/// All ranks that run the tests.
const mpi::World*& the_world();
inline const mpi::Communicator& all_ranks() { return the_world()->communicator(); }

/// An empty folder that all ranks see, made and removed by the first.
class SharedFolder {
 public:
  SharedFolder() {
    if (the_world()->is_first()) owned_.emplace();
    path_ = the_world()->share(owned_ ? owned_->path().string() : "");
  }
  /// Not before all are done with it.
  ~SharedFolder() { MPI_Barrier(all_ranks().handle()); }
  SharedFolder(const SharedFolder&) = delete;
  SharedFolder& operator=(const SharedFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

 private:
  std::optional<TemporaryFolder> owned_;
  std::filesystem::path path_;
};

}  // namespace mugrad::testing

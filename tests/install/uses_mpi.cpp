// SPDX-License-Identifier: MIT
#include <mugrad/mpi/train.h>

#include <filesystem>

/// Started without mpirun it is the only rank. Links all that training takes, METIS too.
int main() {
  const mugrad::mpi::World world;
  const auto folder = std::filesystem::temp_directory_path();
  try {
    mugrad::mpi::train(world, folder / "mugrad-no-such-file.arff", {}, {}, {}, {}, folder / "m",
                       nullptr);
  } catch (const std::exception&) {
    return world.size() == 1 ? 0 : 1;
  }
  return 1;
}

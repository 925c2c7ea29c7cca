// SPDX-License-Identifier: MIT
#include "mpi/communicator.h"

#include <mugrad/mpi/world.h>

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

namespace mugrad::mpi {
namespace {

int cores_allowed() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;
}

}  // namespace

bool is_launched() {
  return std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr || std::getenv("PMI_SIZE") != nullptr ||
         std::getenv("PMIX_RANK") != nullptr;
}

World::World() {
  int given = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given);
  all_ = std::make_unique<Communicator>(Communicator::world());
  for_failures_ = std::make_unique<Communicator>(Communicator::world());
}

World::~World() {
  for_failures_.reset();
  all_.reset();
  MPI_Finalize();
}

int World::rank() const noexcept { return all_->rank(); }
int World::size() const noexcept { return all_->size(); }

Threads World::threads() const {
  MPI_Comm here = MPI_COMM_NULL;
  MPI_Comm_split_type(all_->handle(), MPI_COMM_TYPE_SHARED, all_->rank(), MPI_INFO_NULL, &here);
  int neighbours = 1;
  MPI_Comm_size(here, &neighbours);
  MPI_Comm_free(&here);
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  const int allowed = cores_allowed();
  // A launcher that has bound this rank to some cores has shared them out already.
  const bool is_bound = allowed < static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  return {std::max(1, is_bound ? allowed : cores / neighbours)};
}

std::vector<std::string> World::collect(std::string_view text) const { return all_->collect(text); }

std::string World::share(std::string_view text) const {
  std::vector<char> bytes(text.begin(), text.end());
  all_->share(bytes);
  return {bytes.begin(), bytes.end()};
}

bool World::have_all_failed() const {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::seconds kPatience{2};
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(for_failures_->handle(), &request);
  int done = 0;
  const auto until = Clock::now() + kPatience;
  while (Clock::now() < until) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done != 0) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

bool World::has_terminal() {
  // The supervisor's parent is the launcher, if that is on this machine.
  const char* const launcher = std::getenv("MUGRAD_LAUNCHER");
  if (launcher == nullptr) return false;
  const int descriptor =
      open(("/proc/" + std::string(launcher) + "/fd/2").c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool is_terminal = isatty(descriptor) != 0;
  close(descriptor);
  return is_terminal;
}

}  // namespace mugrad::mpi

// SPDX-License-Identifier: MIT
#include "mpi/communicator.h"
#include "mpi/cores.h"

#include <mugrad/mpi/train.h>

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <thread>

namespace mugrad::mpi {
namespace {

cpu_set_t cores_allowed() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof(set), &set);
  return set;
}

}  // namespace

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
  const cpu_set_t mine = cores_allowed();
  std::vector<cpu_set_t> of_all(as_size(neighbours));
  MPI_Allgather(&mine, sizeof(mine), MPI_BYTE, of_all.data(), sizeof(mine), MPI_BYTE, here);
  MPI_Comm_free(&here);
  return {cores_of(mine, of_all)};
}

std::vector<std::string> World::collect(std::string_view text) const { return all_->collect(text); }

std::string World::share(std::string_view text) const { return all_->share(text); }

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
  // The supervisor's parent is the launcher, if it is on this machine.
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

// SPDX-License-Identifier: MIT
#include <mugrad/mpi/train.h>

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

namespace mugrad::mpi {
namespace {

constexpr int kFailed = 1;
volatile pid_t worker = 0;

/// The launcher wants to end the job; files of the worker are never half-written.
void end_worker(int number) {
  if (worker > 0) {
    kill(worker, SIGKILL);
    waitpid(worker, nullptr, 0);
  }
  _exit(128 + number);
}

/// Lets lists of processes distinguish the two.
void rename_process(int argc, char** argv) {
  constexpr const char* kName = "mugrad-watch";
  prctl(PR_SET_NAME, kName);
  char* const end = argv[argc - 1] + std::strlen(argv[argc - 1]);
  const auto room = as_size(end - argv[0]);
  std::memset(argv[0], 0, room);
  std::strncpy(argv[0], kName, room);
}

std::string rank_text() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"}) {
    const char* const rank = std::getenv(name);
    if (rank == nullptr) continue;
    const char* size = std::getenv("OMPI_COMM_WORLD_SIZE");
    if (size == nullptr) size = std::getenv("PMI_SIZE");
    return size == nullptr ? std::string(rank) : fmt::format("{} of {}", rank, size);
  }
  return "?";
}

[[noreturn]] void watch() {
  signal(SIGPIPE, SIG_IGN);  // messages that nobody reads are dropped
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action = {};
    action.sa_handler = end_worker;
    sigaction(number, &action, nullptr);
  }
  int status = 0;
  while (waitpid(worker, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFEXITED(status)) _exit(WEXITSTATUS(status));
  const std::string message =
      fmt::format("mugrad: rank {} was killed by signal {} ({}); the job ends\n", rank_text(),
                  WTERMSIG(status), strsignal(WTERMSIG(status)));
  (void)!write(STDERR_FILENO, message.data(), message.size());
  _exit(kFailed);
}

}  // namespace

void supervise(int argc, char** argv) {
  if (!is_launched()) return;
  const pid_t launcher = getppid();
  const pid_t self = getpid();
  worker = fork();
  if (worker < 0) return;  // the launcher's own messages must suffice
  if (worker > 0) {
    rename_process(argc, argv);
    watch();
  }
  // Signals of the launcher go to the parent, which handles them.
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != self) _exit(kFailed);
  setenv("MUGRAD_LAUNCHER", std::to_string(launcher).c_str(), 1);
}

}  // namespace mugrad::mpi

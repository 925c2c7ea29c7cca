// SPDX-License-Identifier: MIT
#include "support/program.h"

#include "support/paths.h"
#include "support/temporary_folder.h"

#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>

namespace mugrad::testing {
namespace {

/// Becomes the program; called in the child, never returns.
[[noreturn]] void become(const std::vector<std::string>& arguments, const ProgramSetting& setting) {
  if (!setting.folder.empty() && chdir(setting.folder.c_str()) != 0) _exit(99);
  for (const auto& [name, value] : setting.environment) setenv(name.c_str(), value.c_str(), 1);
  if (setting.largest_file) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{*setting.largest_file, *setting.largest_file};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(98);
  }
  if (setting.largest_memory) {
    const rlimit limit{*setting.largest_memory, *setting.largest_memory};
    if (setrlimit(RLIMIT_AS, &limit) != 0) _exit(95);
  }
  if (setting.largest_data) {
    const rlimit limit{*setting.largest_data, *setting.largest_data};
    if (setrlimit(RLIMIT_DATA, &limit) != 0) _exit(94);
  }
  std::vector<std::string> words = {program_path()};
#ifdef MUGRAD_MPIRUN
  if (setting.ranks > 0) {
    // Tests may run as root, as in a container, and on fewer cores than ranks.
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    words = {MUGRAD_MPIRUN, "--oversubscribe", "-n", std::to_string(setting.ranks), program_path()};
  }
#endif
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  if (setting.prepare) setting.prepare();
  execv(argv[0], argv.data());
  _exit(97);
}

int wait_for(pid_t child, std::size_t* peak_bytes = nullptr) {
  int status = 0;
  rusage used = {};
  if (wait4(child, &status, 0, &used) != child) throw std::runtime_error("wait4 failed");
  if (peak_bytes != nullptr) *peak_bytes = 1024 * static_cast<std::size_t>(used.ru_maxrss);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

ProgramResult run_mugrad(const std::vector<std::string>& arguments, const ProgramSetting& setting) {
  const TemporaryFolder streams;
  const auto out = setting.out_file.empty() ? streams / "out" : setting.out_file;
  const auto err = streams / "err";
  const pid_t child = fork();
  if (child == 0) {
    const int out_fd = open(out.c_str(), O_CREAT | O_WRONLY, 0600);
    const int err_fd = open(err.c_str(), O_CREAT | O_WRONLY, 0600);
    const int nothing = open("/dev/null", O_RDONLY);
    if (dup2(nothing, 0) < 0 || dup2(out_fd, 1) < 0 || dup2(err_fd, 2) < 0) _exit(96);
    become(arguments, setting);
  }
  if (setting.meanwhile) setting.meanwhile(child);
  std::size_t peak_bytes = 0;
  const int code = wait_for(child, &peak_bytes);
  return {.exit_code = code,
          .out = setting.out_file.empty() ? read_file(out) : "",
          .err = read_file(err),
          .peak_bytes = peak_bytes};
}

ProgramResult run_mugrad_on_terminal(
    const std::vector<std::string>& arguments,
    const std::function<std::optional<int>(const std::string& shown)>& react,
    const ProgramSetting& setting) {
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child == 0) {
    const int nothing = open("/dev/null", O_WRONLY);
    if (dup2(nothing, 1) < 0) _exit(96);
    become(arguments, setting);
  }
  ProgramResult result;
  char buffer[4096];
  while (true) {
    const ssize_t got = read(terminal, buffer, sizeof buffer);  // fails when the child is gone
    if (got <= 0) break;
    result.err.append(buffer, static_cast<std::size_t>(got));
    if (const auto signal_to_send = react(result.err)) kill(child, *signal_to_send);
  }
  result.exit_code = wait_for(child);
  close(terminal);
  return result;
}

}  // namespace mugrad::testing

// SPDX-License-Identifier: MIT
#include "support/killed_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

namespace mugrad::testing {
namespace {

using SystemCall = __ptrace_syscall_info;
/// Called before each system call of a process.
using BeforeCall = std::function<void(pid_t process, const SystemCall& call)>;

constexpr int kSyscallStop = SIGTRAP | 0x80;

SystemCall current_call(pid_t process) {
  SystemCall info = {};
  if (ptrace(PTRACE_GET_SYSCALL_INFO, process, sizeof info, &info) <= 0) {
    throw std::runtime_error("ptrace tells nothing of system calls here");
  }
  return info;
}

/// The exit code.
int run_traced(const std::function<void()>& work, const BeforeCall& before) {
  const pid_t child = fork();
  if (child == 0) {
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(91);
    raise(SIGSTOP);
    try {
      work();
    } catch (...) {
      _exit(92);
    }
    _exit(0);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) {
    throw std::runtime_error("the process cannot be traced");
  }
  ptrace(PTRACE_SETOPTIONS, child, nullptr,
         PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL | PTRACE_O_TRACEEXEC);
  int signal_to_pass = 0;
  while (true) {
    ptrace(PTRACE_SYSCALL, child, nullptr, signal_to_pass);
    if (waitpid(child, &status, 0) != child) throw std::runtime_error("waitpid failed");
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    if (WIFSIGNALED(status)) return 128 + WTERMSIG(status);
    const int stop = WSTOPSIG(status);
    signal_to_pass = stop == kSyscallStop || stop == SIGTRAP ? 0 : stop;
    if (stop != kSyscallStop) continue;
    const auto call = current_call(child);
    if (call.op == PTRACE_SYSCALL_INFO_ENTRY) before(child, call);
  }
}

bool changes_files(const SystemCall& call) {
  constexpr std::array kCalls = {
#ifdef SYS_rename
      SYS_rename,   SYS_unlink,    SYS_mkdir,    SYS_rmdir,    SYS_link,   SYS_chmod,
#endif
      SYS_renameat, SYS_renameat2, SYS_unlinkat, SYS_mkdirat,  SYS_linkat, SYS_write,
      SYS_pwrite64, SYS_ftruncate, SYS_fchmod,   SYS_fchmodat, SYS_fchown, SYS_fsync};
  const auto number = static_cast<long>(call.entry.nr);
  if (number == SYS_openat) return (call.entry.args[2] & (O_CREAT | O_TMPFILE | O_TRUNC)) != 0;
  return std::ranges::find(kCalls, number) != kCalls.end();
}

bool opens(pid_t process, const SystemCall& call, const std::filesystem::path& file) {
  if (static_cast<long>(call.entry.nr) != SYS_openat) return false;
  std::string name(file.native().size() + 1, '?');
  const iovec here{name.data(), name.size()};
  const iovec there{reinterpret_cast<void*>(call.entry.args[1]), name.size()};
  return process_vm_readv(process, &here, 1, &there, 1, 0) == static_cast<ssize_t>(name.size()) &&
         name.c_str() == file.native();
}

}  // namespace

Ending run_and_kill(int call, const std::function<void()>& work) {
  Ending ending;
  ending.exit_code = run_traced(work, [&](pid_t process, const SystemCall& made) {
    if (ending.was_reached || !changes_files(made) || --call > 0) return;
    ending.was_reached = true;
    kill(process, SIGKILL);
  });
  return ending;
}

Ending run_and_stop(int call, const std::filesystem::path& file,
                    const std::function<void()>& meanwhile, const std::function<void()>& work) {
  Ending ending;
  bool was_opened = false;
  ending.exit_code = run_traced(work, [&](pid_t process, const SystemCall& made) {
    if (ending.was_reached) return;
    if (!was_opened) {
      was_opened = opens(process, made, file);
      return;
    }
    if (--call > 0) return;
    ending.was_reached = true;
    meanwhile();
  });
  return ending;
}

}  // namespace mugrad::testing

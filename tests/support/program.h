// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mugrad::testing {

struct ProgramResult {
  int exit_code = -1;  ///< 128 + signal when a signal ended it
  std::string out;
  std::string err;
  std::size_t peak_bytes = 0;  ///< of memory that it held at once; not with ranks
};

struct ProgramSetting {
  std::filesystem::path folder;                    ///< to run in; empty: this one
  std::map<std::string, std::string> environment;  ///< added to this process's
  std::optional<std::size_t> largest_file;         ///< bytes after which writing fails
  std::optional<std::size_t> largest_memory;       ///< bytes of address space
  std::optional<std::size_t> largest_data;         ///< bytes of memory, files mapped not counted
  std::filesystem::path out_file;                  ///< standard output goes there; `out` is empty
  int ranks = 0;                                   ///< started by mpirun as so many; 0: as it is
  /// Called while it runs, with the process that was started: mpirun, where there are ranks.
  std::function<void(int process)> meanwhile = {};
  /// Called in the new process, last before it becomes the program: closes streams, for instance.
  std::function<void()> prepare = {};
};

/// Runs the mugrad program with these arguments and waits for its end.
ProgramResult run_mugrad(const std::vector<std::string>& arguments,
                         const ProgramSetting& setting = {});

/// Runs it with standard error on a terminal, calls `react` with all that was shown there so far
/// whenever more arrives, and sends the signal it returns, if any. `err` is what the terminal
/// showed; `out` stays empty.
ProgramResult run_mugrad_on_terminal(
    const std::vector<std::string>& arguments,
    const std::function<std::optional<int>(const std::string& shown)>& react,
    const ProgramSetting& setting = {});

}  // namespace mugrad::testing

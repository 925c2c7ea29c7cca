// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace mugrad {

/// What keeps this process from more memory than so many bytes more.
struct MemoryBound {
  double bytes;
  std::string_view name;  ///< "available memory"
};

/// What Linux says of memory. `root` is where proc and sys are found; tests have their own.
class SystemMemory {
 public:
  explicit SystemMemory(std::filesystem::path root = "/") : root_(std::move(root)) {}

  /// All bounds that are known: physical memory and swap, control groups of both versions with all
  /// those above them, and the limits of the process (its own, whatever the root).
  std::vector<MemoryBound> bounds() const;
  /// All memory there is for this process and others, used or not; infinite where not known.
  double total() const;
  /// What this process holds, files that it maps left out; 0 where not known.
  double held() const;

 private:
  struct Group {
    double limit, used, reclaimable;
  };
  /// Of those that set a limit.
  std::vector<Group> groups() const;
  std::vector<Group> groups_at(const std::filesystem::path& mount, std::string_view path,
                               bool is_unified) const;
  std::vector<double> statm() const;

  std::filesystem::path root_;
};

}  // namespace mugrad

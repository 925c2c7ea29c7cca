// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace mugrad {

/// A limit on the additional memory of this process.
struct MemoryBound {
  double bytes;
  std::string_view name;  ///< "available memory"
};

/// Memory information of Linux. `root` contains proc and sys; tests use their own.
class SystemMemory {
 public:
  explicit SystemMemory(std::filesystem::path root = "/") : root_(std::move(root)) {}

  /// All known bounds: physical memory and swap, control groups of both versions with their
  /// ancestors, and the limits of the process (its own, whatever the root).
  std::vector<MemoryBound> bounds() const;
  /// Total memory of the machine or control group, used or not; infinite if unknown.
  double total() const;
  /// Memory held by this process, without mapped files; 0 if unknown.
  double held() const;

 private:
  struct Group {
    double limit, used, reclaimable;
  };
  /// The groups that set a limit.
  std::vector<Group> groups() const;
  std::vector<Group> groups_at(const std::filesystem::path& mount, std::string_view path,
                               bool is_unified) const;
  std::vector<double> statm() const;

  std::filesystem::path root_;
};

}  // namespace mugrad

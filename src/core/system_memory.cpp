// SPDX-License-Identifier: MIT
#include "core/system_memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string>

namespace mugrad {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();
/// Version 1 expresses "no limit" by a number that no machine reaches.
constexpr double kNoLimit = 1e18;

/// The number at the start of a file; empty for "max" or no number.
std::optional<double> number_in(const std::filesystem::path& path) {
  std::ifstream in(path);
  double number = 0;
  if (!(in >> number)) return std::nullopt;
  return number;
}

/// The number after `key` in a file of lines "key number" or "key: number kB"; 0 if there is none.
double value_of(const std::filesystem::path& path, std::string_view key) {
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string name, unit;
    double value = 0;
    if (!(words >> name >> value)) continue;
    if (name.ends_with(':')) name.pop_back();
    if (name == key) return words >> unit && unit == "kB" ? 1024 * value : value;
  }
  return 0;
}

/// Whether "memory" is one of the comma-separated words.
bool has_memory_in(std::string_view words) {
  while (true) {
    const auto end = words.find(',');
    if (words.substr(0, end) == "memory") return true;
    if (end == std::string_view::npos) return false;
    words.remove_prefix(end + 1);
  }
}

/// The mount point of a kind of control groups, and the group mounted there.
struct Mount {
  std::string point, group;
};

std::optional<Mount> mount_of(const std::filesystem::path& root, bool is_unified) {
  std::ifstream in(root / "proc/self/mountinfo");
  for (std::string line; std::getline(in, line);) {
    // 36 35 98:0 /group /point options - type source options
    std::istringstream words(line);
    std::string skipped, type, options;
    Mount mount;
    words >> skipped >> skipped >> skipped >> mount.group >> mount.point;
    while (words >> skipped && skipped != "-") continue;
    words >> type >> skipped >> options;
    if (is_unified ? type == "cgroup2" : type == "cgroup" && has_memory_in(options)) return mount;
  }
  return std::nullopt;
}

/// The group of this process: "0::/path" of version 2, "5:memory:/path" of version 1.
std::optional<std::string> group_of(const std::filesystem::path& root, bool is_unified) {
  std::ifstream in(root / "proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    if (line.empty()) continue;
    std::string_view rest = line;
    rest.remove_prefix(std::min(rest.find(':'), rest.size() - 1) + 1);
    const auto end = rest.find(':');
    if (end == std::string_view::npos) continue;
    const bool is_it = is_unified ? line.starts_with("0::") : has_memory_in(rest.substr(0, end));
    if (is_it) return std::string(rest.substr(end + 1));
  }
  return std::nullopt;
}

/// What a limit of the process leaves; infinite without a limit.
double left_of(int resource, double used) {
  rlimit limit{};
  if (getrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0) return kUnknown;
  if (limit.rlim_cur == RLIM_INFINITY) return kUnknown;
  return std::max(0.0, static_cast<double>(limit.rlim_cur) - used);
}

}  // namespace

std::vector<SystemMemory::Group> SystemMemory::groups_at(const std::filesystem::path& mount,
                                                         std::string_view path,
                                                         bool is_unified) const {
  const auto* const limit_name = is_unified ? "memory.max" : "memory.limit_in_bytes";
  const auto* const used_name = is_unified ? "memory.current" : "memory.usage_in_bytes";
  const auto* const cache_name = is_unified ? "inactive_file" : "total_inactive_file";
  std::vector<Group> found;
  while (true) {
    const auto folder = mount / std::filesystem::path(path).relative_path();
    const auto limit = number_in(folder / limit_name);
    const auto used = number_in(folder / used_name);
    if (limit && used && *limit < kNoLimit) {
      found.push_back({*limit, *used, value_of(folder / "memory.stat", cache_name)});
    }
    if (path.empty() || path == "/") return found;
    path = path.substr(0, path.rfind('/'));
  }
}

std::vector<SystemMemory::Group> SystemMemory::groups() const {
  std::vector<Group> all;
  for (const bool is_unified : {true, false}) {
    const auto mount = mount_of(root_, is_unified);
    const auto group = group_of(root_, is_unified);
    if (!mount || !group) continue;
    // The group's path relative to the mount; if it is not below, only the mount itself is visible.
    std::string_view path = *group;
    const bool is_below = path.starts_with(mount->group) && mount->group != "/";
    if (is_below) path.remove_prefix(mount->group.size());
    const auto point = root_ / std::filesystem::path(mount->point).relative_path();
    std::error_code missing;
    const auto folder = point / std::filesystem::path(path).relative_path();
    if (!std::filesystem::is_directory(folder, missing)) path = "/";
    std::ranges::copy(groups_at(point, path, is_unified), std::back_inserter(all));
  }
  return all;
}

std::vector<double> SystemMemory::statm() const {
  std::ifstream in(root_ / "proc/self/statm");
  std::vector<double> bytes;
  const auto page = static_cast<double>(sysconf(_SC_PAGESIZE));
  for (double pages = 0; in >> pages;) bytes.push_back(pages * page);
  bytes.resize(7);
  return bytes;
}

std::vector<MemoryBound> SystemMemory::bounds() const {
  std::vector<MemoryBound> bounds;
  const auto meminfo = root_ / "proc/meminfo";
  const double available = value_of(meminfo, "MemAvailable");
  if (available > 0)
    bounds.push_back({available + value_of(meminfo, "SwapFree"), "available memory"});
  for (const Group& group : groups()) {
    bounds.push_back({std::max(0.0, group.limit - group.used + group.reclaimable),
                      "what is left of the control group's limit"});
  }
  constexpr std::size_t kSize = 0, kData = 5;
  const auto used = statm();
  bounds.push_back(
      {left_of(RLIMIT_AS, used[kSize]), "what is left of the address space (ulimit -v)"});
  bounds.push_back(
      {left_of(RLIMIT_DATA, used[kData]), "what is left of the data limit (ulimit -d)"});
  std::erase_if(bounds, [](const MemoryBound& bound) { return bound.bytes == kUnknown; });
  return bounds;
}

double SystemMemory::total() const {
  const double physical = value_of(root_ / "proc/meminfo", "MemTotal");
  double least = physical > 0 ? physical : kUnknown;
  for (const Group& group : groups()) least = std::min(least, group.limit);
  return least;
}

double SystemMemory::held() const {
  constexpr std::size_t kResident = 1, kShared = 2;
  const auto used = statm();
  return std::max(0.0, used[kResident] - used[kShared]);
}

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#include "core/system_memory.h"

#include "support/temporary_folder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <limits>

namespace mugrad {
namespace {

/// A tree as Linux shows it under /.
class SystemMemoryTest : public ::testing::Test {
 protected:
  SystemMemoryTest() {
    write("proc/meminfo",
          "MemTotal:       16000000 kB\nMemFree:         1000000 kB\n"
          "MemAvailable:    8000000 kB\nSwapFree:         500000 kB\n");
    write("proc/self/statm", "5000 2000 500 100 0 3000 0\n");
  }

  void write(const std::string& path, const std::string& text) const {
    const auto to = folder_ / path;
    std::filesystem::create_directories(to.parent_path());
    folder_.write(path, text);
  }
  /// A group of version 2.
  void group(const std::string& path, const std::string& limit, const std::string& used,
             const std::string& cache) const {
    write("sys/fs/cgroup" + path + "/memory.max", limit + "\n");
    write("sys/fs/cgroup" + path + "/memory.current", used + "\n");
    write("sys/fs/cgroup" + path + "/memory.stat", "anon 5\ninactive_file " + cache + "\n");
  }
  void unified_at(const std::string& group) const {
    write("proc/self/cgroup", "0::" + group + "\n");
    write("proc/self/mountinfo",
          "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
          "30 22 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n");
  }
  double least() const {
    double least = std::numeric_limits<double>::infinity();
    for (const auto& bound : SystemMemory(folder_.path()).bounds()) {
      // The limits of this process are its own.
      if (bound.name.find("ulimit") == std::string_view::npos) least = std::min(least, bound.bytes);
    }
    return least;
  }

  testing::TemporaryFolder folder_;
};

TEST_F(SystemMemoryTest, FreeAndReclaimableMemoryAndSwapAreThere) {
  EXPECT_EQ(least(), 8500000.0 * 1024);
  EXPECT_EQ(SystemMemory(folder_.path()).total(), 16000000.0 * 1024);
}

TEST_F(SystemMemoryTest, ProcessHoldsWhatIsResidentAndNotShared) {
  EXPECT_EQ(SystemMemory(folder_.path()).held(),
            1500.0 * static_cast<double>(sysconf(_SC_PAGESIZE)));
}

TEST_F(SystemMemoryTest, ControlGroupLeavesItsLimitLessWhatIsUsedButForCachedFiles) {
  unified_at("/job");
  group("/job", "1000000000", "700000000", "50000000");
  EXPECT_EQ(least(), 350e6);
  EXPECT_EQ(SystemMemory(folder_.path()).total(), 1e9);
}

TEST_F(SystemMemoryTest, GroupsAboveCountToo) {
  unified_at("/user/session/job");
  group("/user/session/job", "max", "10000000", "0");
  group("/user/session", "900000000", "800000000", "0");
  group("/user", "2000000000", "1500000000", "0");
  EXPECT_EQ(least(), 100e6);
}

TEST_F(SystemMemoryTest, GroupThatUsesMoreThanItsLimitLeavesNothing) {
  unified_at("/job");
  group("/job", "1000", "2000", "0");
  EXPECT_EQ(least(), 0);
}

TEST_F(SystemMemoryTest, ContainerSeesItsOwnGroupAtTheTop) {
  // The path is that of the host, and what is mounted is the group itself.
  write("proc/self/cgroup", "0::/system.slice/docker-1.scope\n");
  write("proc/self/mountinfo",
        "30 22 0:26 /system.slice/docker-1.scope /sys/fs/cgroup ro - cgroup2 cgroup rw\n");
  group("", "600000000", "100000000", "0");
  EXPECT_EQ(least(), 500e6);
  write("proc/self/cgroup", "0::/../elsewhere\n");
  EXPECT_EQ(least(), 500e6);
}

TEST_F(SystemMemoryTest, VersionOneHasOtherNamesAndANumberForNoLimit) {
  write("proc/self/cgroup", "9:cpu,cpuacct:/x\n5:memory:/job/inner\n1:name=systemd:/x\n0::/x\n");
  write("proc/self/mountinfo",
        "31 22 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
        "32 22 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
  write("sys/fs/cgroup/memory/job/inner/memory.limit_in_bytes", "9223372036854771712\n");
  write("sys/fs/cgroup/memory/job/inner/memory.usage_in_bytes", "5\n");
  write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "400000000\n");
  write("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "150000000\n");
  write("sys/fs/cgroup/memory/job/memory.stat", "inactive_file 1\ntotal_inactive_file 30000000\n");
  EXPECT_EQ(least(), 280e6);
}

TEST_F(SystemMemoryTest, NothingKnownIsNoBound) {
  for (const auto* const path : {"proc/meminfo", "proc/self/statm"}) {
    std::filesystem::remove(folder_ / path);
  }
  EXPECT_EQ(least(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(SystemMemory(folder_.path()).held(), 0);
}

}  // namespace
}  // namespace mugrad

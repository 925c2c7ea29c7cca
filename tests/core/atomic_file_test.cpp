// SPDX-License-Identifier: MIT
#include "core/atomic_file.h"

#include "support/temporary_folder.h"

#include <mugrad/core/error.h>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

namespace mugrad {
namespace {

namespace fs = std::filesystem;
using testing::read_file;
using testing::TemporaryFolder;
using ::testing::ThrowsMessage;

std::ptrdiff_t files_in(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

void write_whole(const fs::path& path, std::string_view content) {
  AtomicFile file(path);
  file.write(content);
  file.commit();
}

/// Runs `work` in a process of its own, whose limits and filters end with it; its result.
int in_child_process(const std::function<int()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    int result = 255;
    try {
      result = work();
    } catch (...) {
      result = 254;
    }
    _exit(result);
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// From here on, opening a nameless file fails as on a file system that has none.
bool forbid_nameless_files() {
  constexpr auto kNameless = static_cast<unsigned>(O_TMPFILE & ~O_DIRECTORY);
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[2])),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, kNameless, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EOPNOTSUPP),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter{.len = std::size(program), .filter = program};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

TEST(AtomicFile, AppearsOnCommitWithEverythingWritten) {
  const TemporaryFolder folder;
  const auto path = folder / "a";
  const std::string large(3'000'000, 'x');
  {
    AtomicFile file(path);
    file.write("head ");
    file.write(large);
    file.write(" tail");
    EXPECT_FALSE(fs::exists(path));
    file.commit();
    EXPECT_EQ(read_file(path), "head " + large + " tail");
  }
  EXPECT_EQ(read_file(path).size(), large.size() + 10);
  EXPECT_EQ(files_in(folder.path()), 1);
}

TEST(AtomicFile, LeavesNothingWithoutCommit) {
  const TemporaryFolder folder;
  {
    AtomicFile file(folder / "a");
    file.write(std::string(3'000'000, 'x'));
  }
  EXPECT_EQ(files_in(folder.path()), 0);
}

TEST(AtomicFile, OldContentStaysUntilCommit) {
  const TemporaryFolder folder;
  const auto path = folder.write("a", "old");
  {
    AtomicFile file(path);
    file.write("new");
    EXPECT_EQ(read_file(path), "old");
  }
  EXPECT_EQ(read_file(path), "old");
  write_whole(path, "new");
  EXPECT_EQ(read_file(path), "new");
  EXPECT_EQ(files_in(folder.path()), 1);
}

TEST(AtomicFile, HasThePermissionsOfAnOrdinaryNewFile) {
  const TemporaryFolder folder;
  const mode_t before = umask(027);
  write_whole(folder / "a", "x");
  umask(before);
  struct stat status {};
  ASSERT_EQ(stat((folder / "a").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0640U);
}

TEST(AtomicFile, MissingFolderIsNamed) {
  const TemporaryFolder folder;
  const auto nowhere = folder / "nowhere";
  EXPECT_THAT([&] { const AtomicFile file(nowhere / "a"); },
              ThrowsMessage<InputError>("cannot write " + (nowhere / "a").string() +
                                        ": the folder " + nowhere.string() + " does not exist"));
}

TEST(AtomicFile, PathThroughAFileIsRefused) {
  const TemporaryFolder folder;
  const auto file_path = folder.write("file", "");
  EXPECT_THAT([&] { const AtomicFile file(file_path / "a"); },
              ThrowsMessage<InputError>("cannot write " + (file_path / "a").string() + ": " +
                                        file_path.string() + " is not a folder"));
}

TEST(AtomicFile, FolderAndEmptyNameAreRefused) {
  const TemporaryFolder folder;
  EXPECT_THAT(
      [&] { const AtomicFile file(folder.path()); },
      ThrowsMessage<InputError>("cannot write " + folder.path().string() + ": it is a folder"));
  EXPECT_THAT([&] { const AtomicFile file(folder / "new/"); },
              ThrowsMessage<InputError>("cannot write " + folder.path().string() +
                                        "/new/: it is a folder"));
  EXPECT_THAT([&] { const AtomicFile file(""); },
              ThrowsMessage<InputError>("cannot write : the file name is empty"));
}

TEST(AtomicFile, NameThatIsTooLongIsRefusedBeforeAnythingIsWritten) {
  const TemporaryFolder folder;
  const auto path = folder / std::string(300, 'x');
  EXPECT_THAT([&] { const AtomicFile file(path); },
              ThrowsMessage<InputError>("cannot write " + path.string() + ": File name too long"));
}

TEST(AtomicFile, FullDeviceIsReported) {
  EXPECT_THAT([] { write_whole("/dev/full", "x"); },
              ThrowsMessage<InputError>("cannot write /dev/full: No space left on device"));
}

TEST(AtomicFile, FailedFileCannotBeCommitted) {
  AtomicFile file("/dev/full");
  EXPECT_THROW(file.write(std::string(3'000'000, 'x')), InputError);
  EXPECT_THROW(file.commit(), InputError);
}

TEST(AtomicFile, PipeIsWrittenDirectly) {
  const TemporaryFolder folder;
  const auto pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] { received = read_file(pipe); });
  write_whole(pipe, "through the pipe");
  reader.join();
  EXPECT_EQ(received, "through the pipe");
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST(AtomicFile, OpenFileNamedThroughProcIsWrittenToWhereItStands) {
  const TemporaryFolder folder;
  const auto path = folder / "out";
  const int descriptor = open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  ASSERT_NE(descriptor, -1);
  EXPECT_EQ(write(descriptor, "before ", 7), 7);
  write_whole("/dev/fd/" + std::to_string(descriptor), "it");
  EXPECT_EQ(write(descriptor, " after", 6), 6);
  close(descriptor);
  EXPECT_EQ(read_file(path), "before it after");
}

TEST(AtomicFile, OpenFileThatIsAppendedToKeepsWhatItHas) {
  const TemporaryFolder folder;
  const auto path = folder.write("out", "before ");
  const int descriptor = open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  ASSERT_NE(descriptor, -1);
  write_whole("/dev/fd/" + std::to_string(descriptor), "after");
  close(descriptor);
  EXPECT_EQ(read_file(path), "before after");
}

TEST(AtomicFile, LinkStaysAndTheFileItPointsToIsReplaced) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "real");
  const auto real = folder.write("real/file", "old");
  const auto link = folder / "link";
  fs::create_symlink("real/file", link);
  write_whole(link, "new");
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_FALSE(fs::is_symlink(real));
  EXPECT_EQ(read_file(real), "new");
}

TEST(AtomicFile, DanglingLinkGetsTheFileItPointsTo) {
  const TemporaryFolder folder;
  fs::create_symlink("later", folder / "link");
  write_whole(folder / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(read_file(folder / "later"), "new");
}

TEST(AtomicFile, CircleOfLinksIsRefused) {
  const TemporaryFolder folder;
  fs::create_symlink("b", folder / "a");
  fs::create_symlink("a", folder / "b");
  EXPECT_THROW(AtomicFile(folder / "a"), InputError);
}

TEST(AtomicFile, WriteThatFailsHalfWayLeavesNeitherTargetNorTemporary) {
  const TemporaryFolder folder;
  const auto path = folder / "a";
  const std::string expected = "cannot write " + path.string() + ": File too large";
  const auto write_beyond_the_limit = [&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{.rlim_cur = 1'500'000, .rlim_max = 1'500'000};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return 1;
    try {
      write_whole(path, std::string(3'000'000, 'x'));
    } catch (const InputError& error) {
      return error.what() == expected ? 0 : 2;
    }
    return 3;
  };
  EXPECT_EQ(in_child_process(write_beyond_the_limit), 0);
  EXPECT_EQ(files_in(folder.path()), 0);
}

TEST(AtomicFile, KilledProcessLeavesNothing) {
  const TemporaryFolder folder;
  in_child_process([&] {
    AtomicFile file(folder / "a");
    file.write(std::string(3'000'000, 'x'));
    raise(SIGKILL);
    return 0;
  });
  EXPECT_EQ(files_in(folder.path()), 0);
}

TEST(AtomicFile, HiddenNameServesWhereThereAreNoNamelessFiles) {
  const TemporaryFolder folder;
  const auto path = folder.write("a", "old");
  constexpr int kNoFilters = 77;
  const int result = in_child_process([&] {
    if (!forbid_nameless_files()) return kNoFilters;
    {
      AtomicFile abandoned(path);
      abandoned.write("never");
      if (files_in(folder.path()) != 2) return 1;
    }
    if (files_in(folder.path()) != 1) return 2;
    write_whole(path, "new");
    return 0;
  });
  if (result == kNoFilters) GTEST_SKIP() << "this system lets no process filter its own calls";
  EXPECT_EQ(result, 0);
  EXPECT_EQ(read_file(path), "new");
  EXPECT_EQ(files_in(folder.path()), 1);
}

TEST(AtomicFile, ConcurrentWritersLeaveOneWholeFile) {
  const TemporaryFolder folder;
  const auto path = folder / "a";
  std::vector<std::thread> writers;
  for (const char letter : {'a', 'b', 'c', 'd'}) {
    writers.emplace_back([&path, letter] {
      for (int round = 0; round < 5; ++round) write_whole(path, std::string(1'500'000, letter));
    });
  }
  for (auto& writer : writers) writer.join();
  const std::string content = read_file(path);
  EXPECT_EQ(content.size(), 1'500'000U);
  EXPECT_TRUE(
      std::all_of(content.begin(), content.end(), [&](char c) { return c == content.front(); }));
  EXPECT_EQ(files_in(folder.path()), 1);
}

}  // namespace
}  // namespace mugrad

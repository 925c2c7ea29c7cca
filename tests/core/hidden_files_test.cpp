// SPDX-License-Identifier: MIT
#include "core/atomic_file.h"
#include "core/file_names.h"
#include "support/killed_process.h"
#include "support/temporary_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace mugrad {
namespace {

namespace fs = std::filesystem;
using testing::read_file;
using testing::run_and_kill;
using testing::TemporaryFolder;

std::ptrdiff_t files_in(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

/// As a process on another machine would have called it.
fs::path name_from_elsewhere(const fs::path& folder) {
  return folder / ".mugrad-0123456789abcdef-0123456789abcdef.tmp";
}

TEST(HiddenFiles, OfKilledProcessesAreRemoved) {
  const TemporaryFolder folder;
  const fs::path file = hidden_name_in(folder.path());
  const fs::path subfolder = hidden_name_in(folder.path());
  folder.write(file.filename().string(), "a part");
  fs::create_directories(subfolder / "deep");
  folder.write((subfolder / "deep/file").lexically_relative(folder.path()).string(), "a part");
  remove_leftovers(folder.path());
  EXPECT_EQ(files_in(folder.path()), 0);
}

TEST(HiddenFiles, OfLivingProcessesStay) {
  const TemporaryFolder folder;
  const fs::path file = hidden_name_in(folder.path());
  const int descriptor = open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  ASSERT_TRUE(lock_hidden(descriptor));
  remove_leftovers(folder.path());
  EXPECT_TRUE(fs::exists(file));
  close(descriptor);
  remove_leftovers(folder.path());
  EXPECT_FALSE(fs::exists(file));
}

TEST(HiddenFiles, ThatAreNotOursStay) {
  const TemporaryFolder folder;
  for (const char* name : {".mugrad-notes.tmp", ".mugrad-", "mugrad.tmp", ".other.tmp",
                           ".mugrad-notes-on-all-that-we-have-tried-x.tmp"}) {
    folder.write(name, "someone's");
  }
  // A link of such a name leads to a file that was not written under it.
  folder.write("precious", "someone's");
  fs::create_symlink("precious", hidden_name_in(folder.path()));
  remove_leftovers(folder.path());
  EXPECT_EQ(files_in(folder.path()), 7);
}

TEST(HiddenFiles, OfKilledProcessesOfEarlierBootsAreRemovedFromLocalFolders) {
  const TemporaryFolder folder;
  const auto name = name_from_elsewhere(folder.path());
  folder.write(name.filename().string(), "a part");
  remove_leftovers(folder.path());
  EXPECT_FALSE(fs::exists(name));
}

TEST(HiddenFiles, FolderThatCannotBeReadIsNoError) {
  remove_leftovers("/nowhere/at/all");
  finish_file_sets("/nowhere/at/all");
}

void replace(const fs::path& path) {
  AtomicFile file(path);
  file.write("new");
  file.commit();
}

TEST(HiddenFiles, KilledAtAnyCallAtomicFileIsOldOrNewAndTheNextLeavesNothingElse) {
  for (int call = 1;; ++call) {
    const TemporaryFolder folder;
    const auto path = folder.write("file", "old");
    const auto ending = run_and_kill(call, [&] { replace(path); });
    ASSERT_EQ(ending.exit_code, ending.was_reached ? 128 + SIGKILL : 0);
    ASSERT_EQ(read_file(path).size(), 3U);
    if (!ending.was_reached) {
      EXPECT_GT(call, 4);
      EXPECT_EQ(read_file(path), "new");
      break;
    }
    ASSERT_EQ(run_and_kill(1'000'000, [&] { replace(path); }).exit_code, 0);
    ASSERT_EQ(read_file(path), "new");
    ASSERT_EQ(files_in(folder.path()), 1) << "killed at " << call;
  }
}

}  // namespace
}  // namespace mugrad

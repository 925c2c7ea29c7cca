// SPDX-License-Identifier: MIT
#include "core/staged_files.h"

#include "core/atomic_file.h"
#include "core/file_names.h"
#include "core/mapped_file.h"
#include "support/file_tree.h"
#include "support/killed_process.h"
#include "support/temporary_folder.h"

#include <mugrad/core/error.h>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <iterator>
#include <string>

namespace mugrad {
namespace {

namespace fs = std::filesystem;
using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using testing::read_file;
using testing::run_and_kill;
using testing::run_and_stop;
using testing::TemporaryFolder;
using ::testing::ThrowsMessage;
using testing::Tree;
using testing::tree_of;
using testing::visible_in;
using testing::write_tree;

bool has_hidden(const fs::path& folder) {
  return std::ranges::any_of(fs::directory_iterator(folder), [](const auto& entry) {
    return entry.path().filename().string().starts_with(".mugrad-");
  });
}

void put(const fs::path& folder, FolderUse use, const Tree& tree) {
  StagedFiles files(folder, use);
  for (const auto& [name, content] : tree) {
    AtomicFile file(files.add(name));
    file.write(content);
    file.commit();
  }
  files.commit();
}

const Tree kOld = {{"a", "old a"}, {"b", "old b"}, {"deep/c", "old c"}};
const Tree kNew = {{"a", "new a"}, {"b", "new b"}, {"deep/c", "new c"}};

TEST(StagedFiles, AppearTogetherOnCommitInAFolderThatIsMadeForThem) {
  const TemporaryFolder folder;
  const auto target = folder / "some/new/folder";
  {
    StagedFiles files(target, FolderUse::for_set);
    write_tree(files.add("a").parent_path(), {{"a", "new a"}});
    EXPECT_FALSE(fs::exists(folder / "some"));
    files.commit();
  }
  EXPECT_EQ(tree_of(folder.path()), (Tree{{"some/new/folder/a", "new a"}}));
  EXPECT_FALSE(has_hidden(folder.path()));
}

TEST(StagedFiles, LeaveNothingWithoutCommit) {
  const TemporaryFolder folder;
  write_tree(folder / "there", kOld);
  for (const char* name : {"there", "not/there"}) {
    StagedFiles files(folder / name, FolderUse::for_set);
    write_tree(files.add("a").parent_path(), {{"a", "new a"}});
  }
  EXPECT_EQ(tree_of(folder.path()),
            (Tree{{"there/a", "old a"}, {"there/b", "old b"}, {"there/deep/c", "old c"}}));
  EXPECT_FALSE(fs::exists(folder / "not"));
}

TEST(StagedFiles, ReplaceThoseOfTheirNamesAndLeaveOthers) {
  const TemporaryFolder folder;
  for (const auto use : {FolderUse::shared, FolderUse::for_set}) {
    write_tree(folder.path(), kOld);
    write_tree(folder.path(), {{"mine", "kept"}, {"deep/mine", "kept"}, {"other/x", "kept"}});
    struct stat before {};
    ASSERT_EQ(stat(folder.path().c_str(), &before), 0);
    put(folder.path(), use, kNew);
    struct stat after {};
    ASSERT_EQ(stat(folder.path().c_str(), &after), 0);
    EXPECT_EQ(before.st_ino, after.st_ino) << "a folder with other files stays the same";
    Tree expected = kNew;
    expected.insert({{"mine", "kept"}, {"deep/mine", "kept"}, {"other/x", "kept"}});
    EXPECT_EQ(tree_of(folder.path()), expected);
    EXPECT_FALSE(has_hidden(folder.path()));
  }
}

TEST(StagedFiles, FolderThatIsReplacedKeepsItsPermissions) {
  const TemporaryFolder folder;
  write_tree(folder / "set", kOld);
  fs::permissions(folder / "set", fs::perms(0750));
  put(folder / "set", FolderUse::for_set, kNew);
  EXPECT_EQ(fs::status(folder / "set").permissions(), fs::perms(0750));
  EXPECT_EQ(tree_of(folder / "set"), kNew);
  EXPECT_FALSE(has_hidden(folder.path()));
}

TEST(StagedFiles, FileThatIsAddedAndNotWrittenGoesAway) {
  const TemporaryFolder folder;
  for (const bool has_others : {false, true}) {
    const auto target = folder / (has_others ? "shared" : "own");
    write_tree(target, {{"a", "old a"}, {"b", "old b"}});
    if (has_others) write_tree(target, {{"mine", "kept"}});
    StagedFiles files(target, FolderUse::for_set);
    write_tree(files.add("a").parent_path(), {{"a", "new a"}});
    files.add("b");
    files.commit();
    Tree expected = {{"a", "new a"}};
    if (has_others) expected["mine"] = "kept";
    EXPECT_EQ(tree_of(target), expected);
  }
}

TEST(StagedFiles, FolderInPlaceOfAFileIsRefused) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "a");
  StagedFiles files(folder.path(), FolderUse::shared);
  EXPECT_THAT(
      [&] { files.add("a"); },
      ThrowsMessage<InputError>("cannot write " + (folder / "a").string() + ": it is a folder"));
}

TEST(StagedFiles, FileInPlaceOfTheFolderIsRefused) {
  const TemporaryFolder folder;
  const auto file = folder.write("file", "");
  EXPECT_THAT([&] { const StagedFiles files(file, FolderUse::shared); },
              ThrowsMessage<InputError>("cannot write " + file.string() + ": it is not a folder"));
  EXPECT_THROW(StagedFiles(file / "below", FolderUse::shared), InputError);
}

TEST(StagedFiles, LinkToAFolderStaysAndLeadsToTheNewFiles) {
  const TemporaryFolder folder;
  write_tree(folder / "real", kOld);
  fs::create_directory_symlink("real", folder / "link");
  put(folder / "link", FolderUse::for_set, kNew);
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(tree_of(folder / "real"), kNew);
}

/// What a process that is killed at any moment leaves of `before` and kNew in the folder "set".
void kill_everywhere(const std::function<void(const TemporaryFolder&)>& prepare,
                     const std::function<void(const fs::path& set)>& work,
                     const std::function<void(const fs::path& set)>& check) {
  for (int call = 1;; ++call) {
    const TemporaryFolder folder;
    prepare(folder);
    const auto set = folder / "set";
    const auto ending = run_and_kill(call, [&] { work(set); });
    ASSERT_EQ(ending.exit_code, ending.was_reached ? 128 + SIGKILL : 0);
    check(set);
    if (!ending.was_reached) {
      EXPECT_GT(call, 10) << "the process must have been killed somewhere";
      return;
    }
    // The next process finds nothing in its way and leaves nothing behind.
    ASSERT_EQ(run_and_kill(1'000'000, [&] { work(set); }).exit_code, 0);
    Tree expected = kNew;
    if (fs::exists(set / "mine")) expected["mine"] = "kept";
    ASSERT_EQ(tree_of(set), expected) << "killed at " << call;
    ASSERT_FALSE(has_hidden(folder.path())) << "killed at " << call;
  }
}

TEST(StagedFiles, KilledAtAnyCallTheFilesOfANewFolderAreAllThereOrNone) {
  kill_everywhere([](const TemporaryFolder&) {},
                  [](const fs::path& set) { put(set, FolderUse::for_set, kNew); },
                  [](const fs::path& set) {
                    ASSERT_THAT(tree_of(set), AnyOf(IsEmpty(), kNew));
                    ASSERT_EQ(fs::exists(set), !tree_of(set).empty());
                  });
}

TEST(StagedFiles, KilledAtAnyCallAFolderOfTheirOwnHasAllOldOrAllNewFiles) {
  int old_ones = 0;
  int new_ones = 0;
  kill_everywhere([](const TemporaryFolder& folder) { write_tree(folder / "set", kOld); },
                  [](const fs::path& set) { put(set, FolderUse::for_set, kNew); },
                  [&](const fs::path& set) {
                    const Tree tree = visible_in(set);
                    ASSERT_THAT(tree, AnyOf(kOld, kNew));
                    ++(tree == kOld ? old_ones : new_ones);
                  });
  EXPECT_GT(old_ones, 1);
  EXPECT_GT(new_ones, 1) << "killed while the old ones were removed";
}

/// Files of one kind alone, and those that nobody has named.
void expect_no_mixture(const fs::path& set) {
  Tree tree = visible_in(set);
  ASSERT_EQ(tree["mine"], "kept");
  tree.erase("mine");
  const auto count = [&](const Tree& of) {
    return std::ranges::count_if(
        tree, [&](const auto& file) { return of.at(file.first) == file.second; });
  };
  ASSERT_TRUE(count(kOld) == 0 || count(kNew) == 0) << ::testing::PrintToString(tree);
}

TEST(StagedFiles, KilledAtAnyCallASharedFolderNeverHasOldAndNewFiles) {
  kill_everywhere(
      [](const TemporaryFolder& folder) {
        write_tree(folder / "set", kOld);
        write_tree(folder / "set", {{"mine", "kept"}});
      },
      [](const fs::path& set) { put(set, FolderUse::for_set, kNew); }, expect_no_mixture);
}

TEST(StagedFiles, WhoMissesAFileOfAnInterruptedSetFindsAllOfIt) {
  // Looked up here once, which would else change how many calls the processes make that are killed.
  EXPECT_THROW(MappedFile(TemporaryFolder() / "nothing"), InputError);
  int missed = 0;
  kill_everywhere(
      [](const TemporaryFolder& folder) {
        write_tree(folder / "set", kOld);
        write_tree(folder / "set", {{"mine", "kept"}});
      },
      [](const fs::path& set) { put(set, FolderUse::for_set, kNew); },
      [&](const fs::path& set) {
        missed += visible_in(set).size() < 4 ? 1 : 0;
        for (const char* name : {"a", "b", "deep/c"}) {
          const std::string content(MappedFile(set / name).bytes());
          ASSERT_THAT(content, AnyOf(kOld.at(name), kNew.at(name)));
        }
        ASSERT_NO_FATAL_FAILURE(expect_no_mixture(set));
        ASSERT_EQ(visible_in(set).size(), 4U);
      });
  EXPECT_GT(missed, 0);
}

TEST(StagedFiles, FolderThatOneStandsInIsNotReplaced) {
  const TemporaryFolder folder;
  write_tree(folder / "set", kOld);
  const auto ending = run_and_kill(1'000'000, [&] {
    fs::current_path(folder / "set");
    put(".", FolderUse::for_set, kNew);
    if (!fs::exists(fs::current_path() / "a")) _exit(1);
  });
  EXPECT_EQ(ending.exit_code, 0);
  EXPECT_EQ(tree_of(folder / "set"), kNew);
}

/// From here on, folders cannot change places, as on a file system that has no such call.
bool forbid_renaming_with_flags() {
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_renameat2, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter{.len = std::size(program), .filter = program};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

TEST(StagedFiles, AreReplacedOneByOneWhereFoldersCannotChangePlaces) {
  const TemporaryFolder folder;
  write_tree(folder / "set", kOld);
  constexpr int kNoFilters = 77;
  const auto ending = run_and_kill(1'000'000, [&] {
    if (!forbid_renaming_with_flags()) _exit(kNoFilters);
    put(folder / "set", FolderUse::for_set, kNew);
  });
  if (ending.exit_code == kNoFilters) {
    GTEST_SKIP() << "this system lets no process filter its own calls";
  }
  EXPECT_EQ(ending.exit_code, 0);
  EXPECT_EQ(tree_of(folder / "set"), kNew);
  EXPECT_FALSE(has_hidden(folder.path()));
}

TEST(StagedFiles, ThatCannotAllGetTheirNamesLeaveAllAsItWas) {
  const TemporaryFolder folder;
  const Tree before = {{"a", "old a"}, {"c", "a file, no folder"}};
  write_tree(folder / "set", before);
  EXPECT_THROW(put(folder / "set", FolderUse::shared,
                   {{"a", "new a"}, {"b/new", "in a new folder"}, {"c/d", "c is a file"}}),
               InputError);
  EXPECT_EQ(tree_of(folder / "set"), before);
  EXPECT_FALSE(has_hidden(folder / "set"));
  EXPECT_FALSE(fs::exists(folder / "set/b"));
  put(folder / "set", FolderUse::shared, {{"e", "later"}});
  Tree later = before;
  later["e"] = "later";
  EXPECT_EQ(tree_of(folder / "set"), later);
}

TEST(StagedFiles, FolderThatAnotherProgramKeepsLockedIsAnErrorAndNotWaitedForForEver) {
  const TemporaryFolder folder;
  write_tree(folder / "set", kOld);
  const int descriptor = open((folder / "set").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  ASSERT_EQ(flock(descriptor, LOCK_EX), 0);
  EXPECT_THAT([&] { put(folder / "set", FolderUse::for_set, kNew); },
              ThrowsMessage<InputError>(::testing::HasSubstr("keeps the folder locked")));
  EXPECT_EQ(tree_of(folder / "set"), kOld);
  close(descriptor);
  put(folder / "set", FolderUse::for_set, kNew);
  EXPECT_EQ(tree_of(folder / "set"), kNew);
}

TEST(StagedFiles, FolderThatComesInPlaceOfAFileIsKept) {
  const TemporaryFolder folder;
  write_tree(folder.path(), {{"mine", "kept"}});
  StagedFiles files(folder.path(), FolderUse::shared);
  write_tree(files.add("a").parent_path(), {{"a", "new a"}});
  write_tree(folder.path(), {{"a/theirs", "kept"}});
  EXPECT_THROW(files.commit(), InputError);
  EXPECT_EQ(visible_in(folder.path()), (Tree{{"mine", "kept"}, {"a/theirs", "kept"}}));
}

TEST(StagedFiles, FileThatComesWhileAFolderIsReplacedIsKept) {
  for (const std::string newcomer : {"late", "deep/late", "other/late"}) {
    for (int call = 1;; ++call) {
      const TemporaryFolder folder;
      const auto set = folder / "set";
      write_tree(set, kOld);
      const auto ending = run_and_stop(
          call, set,
          [&] {
            write_tree(set, {{newcomer, "kept"}});
          },
          [&] { put(set, FolderUse::for_set, kNew); });
      ASSERT_EQ(ending.exit_code, 0);
      Tree expected = kNew;
      if (ending.was_reached) expected[newcomer] = "kept";
      ASSERT_EQ(tree_of(set), expected) << newcomer << " came before call " << call;
      if (!ending.was_reached) {
        EXPECT_GT(call, 10) << "it must have come at some moment";
        break;
      }
    }
  }
}

TEST(StagedFiles, SetOfAStrangerWritesNothingOutsideItsFolder) {
  const TemporaryFolder around;
  const fs::path folder = around / "unpacked";
  fs::create_directories(around / "elsewhere");
  const std::string absolute = (around / "elsewhere/absolute").string();
  for (const std::string name : {"../up", "linked/file", "a/../../up", absolute.c_str()}) {
    fs::remove_all(folder);
    const std::string hidden = "unpacked/.mugrad-0123456789abcdef-0123456789abcdef.set";
    fs::create_directories(around / hidden / "linked");
    fs::create_directories(around / hidden / "a");
    fs::create_directory_symlink(around / "elsewhere", folder / "linked");
    around.write(hidden + "/linked/file", "planted");
    around.write("unpacked/up", "planted");
    around.write(hidden + "/.description",
                 "+" + std::string(1, '\0') + name + std::string(2, '\0'));
    remove_leftovers(folder);
    EXPECT_FALSE(fs::exists(around / "up")) << name;
    EXPECT_THAT(tree_of(around / "elsewhere"), IsEmpty()) << name;
  }
}

TEST(StagedFiles, InterruptedSetLeavesAFileAloneThatSomeoneHasPutThereSince) {
  // Killed when the old files are gone and no new one has its name yet.
  for (int call = 1;; ++call) {
    const TemporaryFolder folder;
    write_tree(folder / "set", kOld);
    write_tree(folder / "set", {{"mine", "kept"}});
    const auto ending = run_and_kill(call, [&] { put(folder / "set", FolderUse::shared, kNew); });
    ASSERT_TRUE(ending.was_reached) << "there must be such a moment";
    if (fs::exists(folder / "set/a") || fs::exists(folder / "set/deep/c")) continue;
    folder.write("set/a", "by hand");
    EXPECT_EQ(std::string(MappedFile(folder / "set/b").bytes()), "new b");
    EXPECT_EQ(read_file(folder / "set/a"), "by hand");
    return;
  }
}

}  // namespace
}  // namespace mugrad

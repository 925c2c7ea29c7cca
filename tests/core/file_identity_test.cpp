// SPDX-License-Identifier: MIT
#include "core/file_identity.h"

#include "support/temporary_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

namespace mugrad {
namespace {

namespace fs = std::filesystem;
using testing::TemporaryFolder;

TEST(FileIdentity, IsOneForAllNamesOfAFile) {
  const TemporaryFolder folder;
  const auto file = folder.write("file", "");
  fs::create_directory(folder / "deep");
  fs::create_symlink("file", folder / "link");
  fs::create_symlink("link", folder / "link-to-link");
  fs::create_hard_link(file, folder / "deep/hard");
  fs::create_directory_symlink("deep", folder / "folder-link");
  for (const char* name : {"link", "link-to-link", "deep/hard", "deep/../file", "./file",
                           "folder-link/hard", "folder-link/../file"}) {
    EXPECT_EQ(identity_of(folder / name), identity_of(file)) << name;
  }
  EXPECT_NE(identity_of(folder.write("other", "")), identity_of(file));
}

TEST(FileIdentity, IsKnownBeforeTheFileIsThere) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "deep");
  fs::create_directory_symlink("deep", folder / "folder-link");
  fs::create_symlink("deep/new", folder / "link");
  const auto identity = identity_of(folder / "deep/new");
  ASSERT_TRUE(identity);
  for (const char* name : {"link", "folder-link/new", "deep/./new", "deep/../deep/new"}) {
    EXPECT_EQ(identity_of(folder / name), identity) << name;
  }
  for (const char* name : {"new", "deep/newer", "deep/new/new", "deep"}) {
    EXPECT_NE(identity_of(folder / name), identity) << name;
  }
  // The folders need not be there either.
  EXPECT_EQ(identity_of(folder / "a/b/c"), identity_of(folder / "a/./b/../b/c"));
  EXPECT_NE(identity_of(folder / "a/b/c"), identity_of(folder / "a/b/d"));
}

TEST(FileIdentity, NoneForWhatMayBeOpenedTwice) {
  const TemporaryFolder folder;
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_FALSE(identity_of(folder / "pipe"));
  EXPECT_FALSE(identity_of("/dev/null"));
  EXPECT_FALSE(identity_of(folder.path())) << "a folder is no file that can be overwritten";
}

TEST(FileIdentity, OfAnOpenFileIsThatOfItsName) {
  const TemporaryFolder folder;
  const auto path = folder.write("file", "");
  FILE* const file = fopen(path.c_str(), "r");
  ASSERT_NE(file, nullptr);
  const int descriptor = fileno(file);
  const auto by_number = "/dev/fd/" + std::to_string(descriptor);
  EXPECT_EQ(identity_of(descriptor), identity_of(path));
  EXPECT_EQ(identity_of(by_number), identity_of(path));
  EXPECT_TRUE(names_open_file(by_number));
  EXPECT_FALSE(names_open_file(path));
  fclose(file);
  EXPECT_FALSE(identity_of(descriptor));
}

}  // namespace
}  // namespace mugrad

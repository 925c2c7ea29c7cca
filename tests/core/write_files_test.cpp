// SPDX-License-Identifier: MIT
#include "core/staged_files.h"
#include "support/temporary_folder.h"

#include <mugrad/core/error.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace mugrad {
namespace {

namespace fs = std::filesystem;
using testing::read_file;
using ::testing::StartsWith;
using testing::TemporaryFolder;
using ::testing::ThrowsMessage;

TEST(WriteFiles, CreatesTheFolderWithItsParents) {
  const TemporaryFolder folder;
  const std::vector<FileContent> files = {{"x", "1"}, {"y", "2"}};
  write_files(folder / "a/b", files);
  EXPECT_EQ(read_file(folder / "a/b/x"), "1");
  EXPECT_EQ(read_file(folder / "a/b/y"), "2");
}

TEST(WriteFiles, WithoutFilesLeavesNoFolder) {
  const TemporaryFolder folder;
  for (const char* name : {"a/b", "a/b/"}) write_files(folder / name, {});
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(WriteFiles, WritesNoneWhereOneCannotBeWritten) {
  const TemporaryFolder folder;
  fs::create_directories(folder / "a/y");  // no file can have this name
  const std::vector<FileContent> files = {{"x", "1"}, {"y", "2"}};
  EXPECT_THROW(write_files(folder / "a", files), InputError);
  EXPECT_FALSE(fs::exists(folder / "a/x"));
}

TEST(WriteFiles, NamesAFolderThatCannotBeMade) {
  const TemporaryFolder folder;
  const auto file = folder.write("file", "");
  EXPECT_THAT([&] { write_files(file / "sets", {}); },
              ThrowsMessage<InputError>(
                  StartsWith("cannot create the folder " + (file / "sets").string())));
}

}  // namespace
}  // namespace mugrad

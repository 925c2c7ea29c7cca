// SPDX-License-Identifier: MIT
#include "support/temporary_folder.h"

#include <mugrad/core/error.h>
#include <mugrad/core/mapped_file.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <thread>

namespace mugrad {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using testing::TemporaryFolder;
using ::testing::ThrowsMessage;

TEST(MappedFile, HoldsTheBytesOfTheFile) {
  const TemporaryFolder folder;
  const std::string content("a\0b\r\n\xff", 6);
  const MappedFile file(folder.write("data", content));
  EXPECT_EQ(file.bytes(), content);
}

TEST(MappedFile, EmptyFileHasNoBytes) {
  const TemporaryFolder folder;
  const MappedFile file(folder.write("empty", ""));
  EXPECT_TRUE(file.bytes().empty());
}

TEST(MappedFile, FileThatReportsNoSizeIsReadToItsEnd) {
  const MappedFile file("/proc/self/status");
  EXPECT_THAT(std::string(file.bytes()), HasSubstr("Pid:"));
}

TEST(MappedFile, MissingFileIsNamed) {
  const TemporaryFolder folder;
  const auto path = folder / "nothing.arff";
  EXPECT_THAT(
      [&] { const MappedFile file(path); },
      ThrowsMessage<InputError>("cannot read " + path.string() + ": No such file or directory"));
}

TEST(MappedFile, FolderIsRefused) {
  const TemporaryFolder folder;
  EXPECT_THAT([&] { const MappedFile file(folder.path()); },
              ThrowsMessage<InputError>(AllOf(StartsWith("cannot read " + folder.path().string()),
                                              HasSubstr("is a folder"))));
}

TEST(MappedFile, PipeIsReadToItsEnd) {
  const TemporaryFolder folder;
  const auto pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::string content(200'000, 'x');  // more than a pipe holds at once
  std::thread writer([&] { std::ofstream(pipe) << content; });
  const MappedFile file(pipe);
  writer.join();
  EXPECT_EQ(file.bytes(), content);
}

/// Bytes of memory that this process has of its own and of files.
std::size_t resident() {
  std::size_t size = 0;
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> size >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

TEST(MappedFile, ReleasedBytesTakeNoMemoryAndCanBeReadAgain) {
  const TemporaryFolder folder;
  constexpr std::size_t kSize = 64 << 20;
  const MappedFile file(folder.write("data", std::string(kSize, 'x')));
  const auto count = [&] { return std::ranges::count(file.bytes(), 'x'); };
  EXPECT_EQ(count(), kSize);
  const auto before = resident();
  file.release_before(file.bytes().data() + kSize);
  EXPECT_LT(resident() + kSize / 2, before);
  EXPECT_EQ(count(), kSize);
}

}  // namespace
}  // namespace mugrad

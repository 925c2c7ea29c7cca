// SPDX-License-Identifier: MIT
#include "core/mapped_file.h"

#include "support/temporary_folder.h"

#include <mugrad/core/error.h>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

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

/// The sum of all bytes, so that each is looked at.
std::size_t sum_of(std::string_view bytes) {
  std::size_t sum = 0;
  for (const char byte : bytes) sum += static_cast<unsigned char>(byte);
  return sum;
}

/// A file of several pages.
std::filesystem::path write_large(const TemporaryFolder& folder) {
  return folder.write("data", std::string(100'000, 'x'));
}

TEST(MappedFile, FileThatBecomesShorterIsAnErrorAndNoSignal) {
  const TemporaryFolder folder;
  // Nothing left, the end of a page, in the middle of one: that page stays, with zeros in it.
  for (const std::size_t left : {0u, 4096u, 99'999u, 50'000u}) {
    const auto path = write_large(folder);
    const MappedFile file(path);
    EXPECT_EQ(sum_of(file.bytes()), 100'000U * 'x');
    std::filesystem::resize_file(path, left);
    EXPECT_THAT(
        [&] { file.while_whole([&] { return sum_of(file.bytes()); }); },
        ThrowsMessage<InputError>("cannot read " + path.string() +
                                  ": it was truncated while it was read: of 100000 bytes, " +
                                  std::to_string(left) + " are left"));
    EXPECT_EQ(sum_of(file.bytes()), left * 'x') << "what is gone reads as zeros";
  }
}

TEST(MappedFile, FileThatWasShorterForAMomentIsAnErrorToo) {
  const TemporaryFolder folder;
  const auto path = write_large(folder);
  const MappedFile file(path);
  std::filesystem::resize_file(path, 10);
  EXPECT_EQ(sum_of(file.bytes()), 10U * 'x');
  std::filesystem::resize_file(path, 100'000);
  EXPECT_THROW(file.require_whole(), InputError);
}

TEST(MappedFile, FileThatBecomesShorterOutdoesOtherErrors) {
  const TemporaryFolder folder;
  const auto path = write_large(folder);
  const MappedFile file(path);
  const auto fail = [&] {
    file.while_whole([&] {
      std::filesystem::resize_file(path, 10);
      throw InputError("this row has 1 value");
    });
  };
  EXPECT_THAT(fail, ThrowsMessage<InputError>(HasSubstr("it was truncated while it was read")));
}

TEST(MappedFile, FileThatGrowsOrIsReplacedIsReadAsItWas) {
  const TemporaryFolder folder;
  const auto path = write_large(folder);
  const MappedFile file(path);
  std::ofstream(path, std::ios::app) << "more";
  EXPECT_EQ(file.while_whole([&] { return sum_of(file.bytes()); }), 100'000U * 'x');
  std::filesystem::rename(folder.write("other", ""), path);
  EXPECT_EQ(file.while_whole([&] { return sum_of(file.bytes()); }), 100'000U * 'x');
}

TEST(MappedFile, EachOfManyFilesKnowsWhetherItBecameShorter) {
  const TemporaryFolder folder;
  // More than can be watched over: the rest are read into memory.
  constexpr int kFiles = 300;
  std::vector<std::unique_ptr<MappedFile>> files;
  for (int k = 0; k < kFiles; ++k) {
    files.push_back(
        std::make_unique<MappedFile>(folder.write(std::to_string(k), std::string(10'000, 'x'))));
  }
  for (int k = 0; k < kFiles; k += 2) std::filesystem::resize_file(folder / std::to_string(k), 0);
  int shorter = 0;
  for (int k = 0; k < kFiles; ++k) {
    const auto& file = *files[static_cast<std::size_t>(k)];
    const auto sum = sum_of(file.bytes());
    try {
      file.require_whole();
      EXPECT_EQ(sum, 10'000U * 'x');
    } catch (const InputError&) {
      EXPECT_EQ(k % 2, 0);
      ++shorter;
    }
  }
  EXPECT_GT(shorter, 100);
}

/// Runs each test in a process of its own, in which no file was mapped yet.
class BusErrors : public ::testing::Test {
 protected:
  BusErrors() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

int bus_errors = 0;
char* repaired = nullptr;

void count_and_repair(int) {
  ++bus_errors;
  mmap(repaired, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

void set_handler(void (*handler)(int)) {
  struct sigaction own = {};
  own.sa_handler = handler;
  if (sigaction(SIGBUS, &own, nullptr) != 0) std::exit(90);
}

/// Maps a file that nobody watches over and that is empty now.
void map_what_is_gone(const TemporaryFolder& folder) {
  const auto path = folder.write("other", std::string(4096, 'x'));
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  repaired = static_cast<char*>(mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE, descriptor, 0));
  if (repaired == MAP_FAILED) std::exit(91);
  std::filesystem::resize_file(path, 0);
}

TEST_F(BusErrors, OfOtherMemoryGoToTheHandlerThatWasThere) {
  const auto work = [] {
    const TemporaryFolder folder;
    set_handler(count_and_repair);
    map_what_is_gone(folder);
    const MappedFile file(write_large(folder));
    const bool is_repaired = sum_of({repaired, 4096}) == 0 && bus_errors == 1;
    file.require_whole();
    return is_repaired ? 0 : 1;
  };
  EXPECT_EXIT(std::exit(work()), ::testing::ExitedWithCode(0), "");
}

TEST_F(BusErrors, OfOtherMemoryEndTheProcessWhereNoHandlerWasThere) {
  const auto work = [] {
    const TemporaryFolder folder;
    set_handler(SIG_DFL);  // sanitizers have one
    map_what_is_gone(folder);
    const MappedFile file(write_large(folder));
    std::filesystem::remove_all(folder.path());  // what follows leaves no time for it
    return sum_of({repaired, 4096}) == 0 ? 0 : 1;
  };
  EXPECT_EXIT(std::exit(work()), ::testing::KilledBySignal(SIGBUS), "");
}

TEST_F(BusErrors, ThatAreSentAndWereIgnoredStillAre) {
  const auto work = [] {
    const TemporaryFolder folder;
    set_handler(SIG_IGN);
    const MappedFile file(write_large(folder));
    return raise(SIGBUS);
  };
  EXPECT_EXIT(std::exit(work()), ::testing::ExitedWithCode(0), "");
}

struct sigaction earlier = {};

TEST_F(BusErrors, ReachALaterHandlerThatCallsTheEarlierOneAndEndThere) {
  const auto work = [] {
    const TemporaryFolder folder;
    const auto path = write_large(folder);
    { const MappedFile file(path); }
    struct sigaction later = {};
    later.sa_flags = SA_SIGINFO;
    later.sa_sigaction = [](int number, siginfo_t* info, void* context) {
      ++bus_errors;
      earlier.sa_sigaction(number, info, context);
    };
    sigaction(SIGBUS, &later, &earlier);
    const MappedFile file(path);
    std::filesystem::resize_file(path, 0);
    return sum_of(file.bytes()) == 0 && bus_errors == 1 ? 0 : 1;
  };
  EXPECT_EXIT(std::exit(work()), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace mugrad

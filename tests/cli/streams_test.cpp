// SPDX-License-Identifier: MIT
// Standard streams that are closed, full or read by nobody: a message that cannot be written
// changes nothing, a result that cannot be written is an error.
#include "support/command_test.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <functional>
#include <thread>

namespace mugrad::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

using Arguments = std::vector<std::string>;
using Prepare = std::function<void()>;

Prepare closed(int descriptor) {
  return [=] { close(descriptor); };
}

Prepare full(int descriptor) {
  return [=] { dup2(open("/dev/full", O_WRONLY), descriptor); };
}

/// A pipe that nobody will ever read.
Prepare unread(int descriptor) {
  return [=] {
    int ends[2];
    if (pipe(ends) != 0) _exit(93);
    close(ends[0]);
    dup2(ends[1], descriptor);
  };
}

class Streams : public CommandTest {
 protected:
  ProgramResult run_with(const Prepare& prepare, const Arguments& arguments) const {
    return run_mugrad(
        arguments,
        {.folder = folder_.path(), .environment = {{"MUGRAD_DATA", ""}}, .prepare = prepare});
  }
  std::string content(const std::string& name) const { return read_file(folder_ / name); }
};

/// Calls that say something on standard error, and the file that each writes.
struct Call {
  Arguments arguments;
  std::string file;
};
const std::vector<Call> kTalking = {
    {{"train", "data.arff", "-o", "out"}, "out"},
    {{"convert", "data.arff", "out.csv"}, "out.csv"},
    {{"predict", "model", "data.arff", "-o", "out"}, "out"},
    {{"compare", "data.arff", "--methods", "br", "--untuned", "--repeats", "1", "-o", "out"},
     "out"},
    {{"tune", "data.arff", "--method", "br", "--rho", "0.1,1", "-o", "out"}, "out"},
    {{"info", "model", "--relations", "out.csv"}, "out.csv"},
    {{"study", "sensitivity", "data.arff", "--rhos", "1", "--sigmas", "0", "-o", "out"}, "out"},
};

TEST_F(Streams, MessageThatCannotBeWrittenChangesNeitherTheResultNorTheExitCode) {
  make_model();
  for (const auto& [arguments, file] : kTalking) {
    const auto usual = run(arguments);
    ASSERT_EQ(usual.exit_code, 0) << usual.err;
    ASSERT_THAT(usual.err, StartsWith("mugrad: ")) << arguments[0];
    const std::string expected = content(file);
    for (const auto& prepare : {closed(2), full(2), unread(2)}) {
      std::filesystem::remove(folder_ / file);
      const auto result = run_with(prepare, arguments);
      EXPECT_EQ(result.exit_code, 0) << arguments[0];
      EXPECT_EQ(result.out, usual.out) << arguments[0];
      EXPECT_TRUE(content(file) == expected) << arguments[0];
    }
    std::filesystem::remove(folder_ / file);
  }
}

TEST_F(Streams, FailureKeepsItsExitCodeWhereItsMessageCannotBeWritten) {
  for (const auto& prepare : {closed(2), full(2), unread(2)}) {
    EXPECT_EQ(run_with(prepare, {"info", "nowhere.arff"}).exit_code, 1);
    EXPECT_EQ(run_with(prepare, {"nonsense"}).exit_code, 2);
  }
}

TEST_F(Streams, ClosedOnesLeaveOutputFilesAlone) {
  make_model();
  out_of({"predict", "model", "data.arff", "-o", "expected"});
  const auto result = run_with(
      [] {
        for (const int descriptor : {0, 1, 2}) close(descriptor);
      },
      {"predict", "model", "data.arff", "-o", "out"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(content("out") == content("expected"));
}

TEST_F(Streams, ResultThatCannotBeWrittenIsAnError) {
  make_model();
  std::vector<Arguments> calls = {
      {"--help"},
      {"--version"},
      {"info", "model"},
      {"info", "data.arff", "--json"},
      {"methods"},
      {"fetch"},
      {"predict", "model", "data.arff"},
      {"evaluate", "model", "data.arff"},
      {"certify", "data.arff"},
      {"train", "data.arff", "-o", "again"},
      {"split", "data.arff", "-o", "again-parts"},
      {"convert", "data.arff", "again.csv"},
      {"generate", "-o", "again.arff", "--rows", "20"},
      {"predict", "model", "data.arff", "-o", "/dev/stdout"},
  };
  const auto all = commands();
  EXPECT_GT(all.size(), 10U);
  for (auto command : all) {
    command.emplace_back("--help");
    calls.push_back(std::move(command));
  }
  for (const auto& arguments : calls) {
    const auto when_full = run_with(full(1), arguments);
    EXPECT_EQ(when_full.exit_code, 1) << arguments[0];
    EXPECT_THAT(when_full.err, HasSubstr("No space left on device")) << arguments[0];
    const auto when_closed = run_with(closed(1), arguments);
    EXPECT_EQ(when_closed.exit_code, 1) << arguments[0];
    EXPECT_THAT(when_closed.err, HasSubstr("mugrad: cannot write ")) << arguments[0];
  }
}

TEST_F(Streams, ClosedStandardOutputIsNamed) {
  EXPECT_EQ(run_with(closed(1), {"--version"}).err,
            "mugrad: cannot write to standard output: it is closed\n");
}

TEST_F(Streams, ClosedStandardOutputIsNoErrorWhereNothingIsPrinted) {
  make_model();
  EXPECT_EQ(run_with(closed(1), {"predict", "model", "data.arff", "-o", "out"}).exit_code, 0);
}

TEST_F(Streams, ReaderThatIsSlowGetsAllWhereWritingDoesNotBlock) {
  out_of(
      {"generate", "-o", "large.arff", "--rows", "9000", "--features", "3", "--labels", "4", "-q"});
  out_of({"train", "large.arff", "-o", "model", "-q"});
  const Arguments predict = {"predict", "model", "large.arff", "--scores", "-q"};
  const auto all = out_of(predict);
  for (const bool is_named : {false, true}) {
    int ends[2];
    ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
    fcntl(ends[1], F_SETFL, O_WRONLY | O_NONBLOCK);
    const auto holds = static_cast<std::size_t>(fcntl(ends[1], F_GETPIPE_SZ));
    ASSERT_GT(all.size(), 2 * holds);
    std::string read_so_far;
    std::thread reader([&] {
      // Reads nothing until nothing more can be written.
      for (int waiting = 0; waiting + 4096 < static_cast<int>(holds);) {
        ioctl(ends[0], FIONREAD, &waiting);
        std::this_thread::yield();
      }
      char block[4096];
      for (ssize_t count = 0; (count = read(ends[0], block, sizeof block)) > 0;) {
        read_so_far.append(block, static_cast<std::size_t>(count));
      }
    });
    Arguments arguments = predict;
    if (is_named) arguments.insert(arguments.end(), {"-o", "/dev/stdout"});
    const auto result = run_with([&] { dup2(ends[1], 1); }, arguments);
    close(ends[1]);
    reader.join();
    close(ends[0]);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(read_so_far, all);
  }
}

TEST_F(Streams, ReaderThatHasEnoughEndsTheProgramAsItEndsOtherTools) {
  make_model();
  const auto result = run_with(unread(1), {"predict", "model", "data.arff", "--quiet"});
  EXPECT_EQ(result.exit_code, 128 + SIGPIPE);
  EXPECT_THAT(result.err, IsEmpty());
}

TEST_F(Streams, ReaderThatHasEnoughIsAnErrorWhereSigpipeIsIgnored) {
  make_model();
  const auto result = run_with(
      [] {
        signal(SIGPIPE, SIG_IGN);
        unread(1)();
      },
      {"predict", "model", "data.arff", "--quiet"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.err, "mugrad: cannot write to standard output: Broken pipe\n");
}

}  // namespace
}  // namespace mugrad::testing

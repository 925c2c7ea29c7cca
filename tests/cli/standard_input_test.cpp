// SPDX-License-Identifier: MIT
// Every command that takes a data file takes it compressed, from a pipe and from standard input.
#include "support/command_test.h"
#include "support/compressed.h"
#include "support/killed_process.h"
#include "support/paths.h"
#include "support/streams.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <map>

namespace mugrad::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::StartsWith;

using Arguments = std::vector<std::string>;

class StandardInputOfCommands : public CommandTest {
 protected:
  void SetUp() override {
    make_data();
    out_of({"convert", "data.arff", "data.xmc"});
    out_of({"train", "data.arff", "-o", "model"});
    fs::create_directory(folder_ / "temporary");
  }
  void TearDown() override {
    EXPECT_TRUE(fs::is_empty(folder_ / "temporary")) << "a temporary file is left";
  }
  std::string content(const std::string& name) const { return read_file(folder_ / name); }

  /// Runs a command with these bytes in a pipe as its standard input.
  ProgramResult run_from(const std::string& bytes, const Arguments& arguments,
                         std::map<std::string, std::string> environment = {}) const {
    const OpenPipe pipe(bytes);
    return run_with([&] { dup2(pipe.reader(), 0); }, arguments, std::move(environment));
  }
  ProgramResult run_with(const std::function<void()>& prepare, const Arguments& arguments,
                         std::map<std::string, std::string> environment = {}) const {
    environment.insert({{"MUGRAD_DATA", ""}, {"TMPDIR", folder_ / "temporary"}});
    return run_mugrad(
        arguments,
        {.folder = folder_.path(), .environment = std::move(environment), .prepare = prepare});
  }
};

/// Commands, with DATA where the data file is named, and the file that each writes.
struct Call {
  Arguments arguments;
  std::string file = {};
};
const std::vector<Call> kReading = {
    {{"train", "DATA", "-o", "out"}, "out"},
    {{"train", "DATA", "--method", "br", "-o", "out"}, "out"},
    {{"tune", "DATA", "--method", "br", "--rho", "0.1,1", "-o", "out"}, "out"},
    {{"predict", "model", "DATA"}},
    {{"predict", "model", "DATA", "--scores", "-o", "out"}, "out"},
    {{"evaluate", "model", "DATA"}},
    {{"info", "DATA"}},
    {{"certify", "DATA"}},
    {{"convert", "DATA", "out.csv"}, "out.csv"},
    {{"split", "DATA", "-o", "parts"}, "parts/test.arff"},
    {{"study", "convergence", "DATA", "--steps", "2"}},
};

TEST_F(StandardInputOfCommands, GivesWhatTheFileGives) {
  const std::string text = content("data.arff");
  folder_.write("data.arff.gz", gzip(text));
  for (const auto& [arguments, file] : kReading) {
    SCOPED_TRACE(fmt::format("{}", fmt::join(arguments, " ")));
    const auto call = [&](const std::string& data) {
      Arguments words = arguments;
      std::ranges::replace(words, std::string("DATA"), data);
      words.insert(words.end(), {"--labels", "data.xml", "-q"});
      return words;
    };
    const auto result_of = [&](const ProgramResult& result) {
      EXPECT_EQ(result.exit_code, 0) << result.err;
      const auto made = file.empty() ? "" : content(file);
      if (!file.empty()) fs::remove(folder_ / file);
      return std::pair(result.out, made);
    };
    const auto expected = result_of(run(call("data.arff")));
    EXPECT_TRUE(result_of(run(call("data.arff.gz"))) == expected);
    for (const auto& bytes : {text, gzip(text), zstd(text)}) {
      EXPECT_TRUE(result_of(run_from(bytes, call("-"))) == expected);
      EXPECT_TRUE(result_of(run_from(bytes, call("/dev/stdin"))) == expected);
    }
  }
}

TEST_F(StandardInputOfCommands, IsReadTwiceWhereTheHeadOfTheFileCounts) {
  const std::string text = content("data.xmc");
  out_of({"train", "data.xmc", "-o", "expected", "-q"});
  for (const auto& bytes : {text, gzip(text)}) {
    const auto result = run_from(bytes, {"train", "-", "-o", "out", "-q"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_TRUE(content("out") == content("expected"));
  }
  const auto large =
      run_from("1000000000 1000000000 1000000000\n0 0:1\n", {"train", "-", "-o", "o"});
  EXPECT_EQ(large.exit_code, 1);
  EXPECT_THAT(large.err, HasSubstr("on standard input (1000000000 examples"));
}

TEST_F(StandardInputOfCommands, IsComparedOverAllSplits) {
  const Arguments options = {"--methods", "br",       "--untuned", "--repeats",
                             "2",         "--labels", "data.xml",  "-q"};
  const auto results_of = [&](const std::string& data, const std::string& file) {
    Arguments call = {"compare", data, "-o", file};
    call.insert(call.end(), options.begin(), options.end());
    const auto result = run_from(gzip(content("data.arff")), call);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return content(file);
  };
  auto expected = results_of("data.arff", "named.jsonl");
  const std::string name = "\"data\"", other = "\"stdin\"";
  for (auto at = expected.find(name); at != expected.npos; at = expected.find(name, at)) {
    expected.replace(at, name.size(), other);
  }
  EXPECT_EQ(results_of("-", "piped.jsonl"), expected);
}

TEST_F(StandardInputOfCommands, IsNamedInMessages) {
  const auto result = run_from("x,y\n1,0\n1\n", {"info", "-", "--label-count", "-1"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.err,
            "mugrad: standard input:3:1: this row has 1 values separated by ',', expected 2, one "
            "per column\n");
  EXPECT_THAT(run_from(content("data.xmc"), {"info", "-"}).err,
              HasSubstr("mugrad: standard input: 6 labels, from its rows"));
}

TEST_F(StandardInputOfCommands, IsReadOnce) {
  const std::string twice =
      "mugrad: standard input cannot be read twice, because its bytes are there only once: write "
      "them to a file\n";
  const Arguments compare = {"compare", "-", "-", "--methods", "br", "-o", "out"};
  for (const Arguments& call : {compare, Arguments{"info", "-", "--labels", "-"}}) {
    const auto result = run_from(content("data.xmc"), call);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.err, twice);
  }
  const auto by_two_names =
      run_from(content("data.xmc"), {"compare", "-", "/dev/stdin", "--methods", "br", "-o", "out"});
  EXPECT_EQ(by_two_names.exit_code, 2);
  EXPECT_THAT(by_two_names.err, StartsWith("mugrad: /dev/stdin cannot be read twice"));
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

TEST_F(StandardInputOfCommands, IsAnInputThatIsNotOverwritten) {
  const std::string text = content("data.xmc");
  const auto result =
      run_with([] { dup2(open("data.xmc", O_RDWR), 0); }, {"train", "-", "-o", "data.xmc"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("data.xmc would be overwritten"));
  EXPECT_EQ(content("data.xmc"), text);
}

TEST_F(StandardInputOfCommands, HasNoNameForAModel) {
  const auto result = run_from(content("data.xmc"), {"train", "-"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err,
            "mugrad: standard input has no name for the model to take: name the model with -o\n");
  folder_.write("birds.xmc.gz", gzip(content("data.xmc")));
  out_of({"train", "birds.xmc.gz", "-q"});
  EXPECT_TRUE(fs::exists(folder_ / "birds.mugrad"));
}

TEST_F(StandardInputOfCommands, MayBeClosedOrEmpty) {
  const auto closed = run_with([] { close(0); }, {"info", "-"});
  EXPECT_EQ(closed.exit_code, 1);
  EXPECT_EQ(closed.err, "mugrad: cannot read standard input: it is closed\n");
  EXPECT_EQ(run_from("", {"info", "-"}).err, "mugrad: standard input is empty\n");
}

TEST_F(StandardInputOfCommands, EndsAtTheLimit) {
  const auto endless = [&] { dup2(open("/dev/zero", O_RDONLY), 0); };
  const auto result = run_with(endless, {"info", "-"}, {{"MUGRAD_TEMPORARY_LIMIT", "3MB"}});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.err,
            "mugrad: standard input has more than 3 MB, the limit of temporary files: write the "
            "text to a file and name that, or raise MUGRAD_TEMPORARY_LIMIT\n");
}

TEST_F(StandardInputOfCommands, NeedsRoomInTheFolderForTemporaryFiles) {
  // As a full disk, a file that cannot grow fails while it is written.
  folder_.write("data.xmc.gz", gzip(content("data.xmc")));
  const auto result =
      run_mugrad({"info", "data.xmc.gz"}, {.folder = folder_.path(),
                                           .environment = {{"TMPDIR", folder_ / "temporary"}},
                                           .largest_file = 1000});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("cannot write a temporary file in " +
                                    (folder_ / "temporary").string() + ": File too large"));
}

TEST_F(StandardInputOfCommands, EndsWithTheProgramAtCtrlC) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  const std::string some(10'000, 'x');
  ASSERT_EQ(write(ends[1], some.data(), some.size()), std::ssize(some));
  const auto result =
      run_mugrad({"info", "-"}, {.folder = folder_.path(),
                                 .environment = {{"TMPDIR", folder_ / "temporary"}},
                                 .meanwhile =
                                     [&](int process) {
                                       // When it has read all that is there, it waits for more.
                                       for (int waiting = 1; waiting > 0; usleep(1000)) {
                                         ioctl(ends[0], FIONREAD, &waiting);
                                       }
                                       kill(process, SIGINT);
                                     },
                                 .prepare = [&] { dup2(ends[0], 0); }});
  for (const int end : ends) close(end);
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_THAT(result.err, HasSubstr("interrupted"));
}

TEST_F(StandardInputOfCommands, LeavesNoTemporaryFileWhereTheProgramIsKilled) {
  folder_.write("data.xmc.gz", gzip(content("data.xmc")));
  int kills = 0;
  for (int call = 1;; ++call) {
    const auto ending = run_and_kill(call, [&] {
      if (chdir(folder_.path().c_str()) != 0) _exit(90);
      const int nothing = open("/dev/null", O_RDWR);
      for (const int stream : {0, 1, 2}) dup2(nothing, stream);
      setenv("TMPDIR", (folder_ / "temporary").c_str(), 1);
      setenv("ASAN_OPTIONS", "detect_leaks=0", 1);  // it is traced
      execl(program_path().c_str(), "mugrad", "info", "data.xmc.gz", nullptr);
      _exit(97);
    });
    EXPECT_TRUE(fs::is_empty(folder_ / "temporary")) << "killed at call " << call;
    if (!ending.was_reached) break;
    ++kills;
  }
  EXPECT_GE(kills, 2);  // the temporary file is made, and written
}

TEST_F(StandardInputOfCommands, MayBeAModelToLookAt) {
  const auto expected = run({"info", "model"});
  for (const std::string name : {"-", "/dev/stdin"}) {
    const auto piped = run_from(content("model"), {"info", name});
    EXPECT_EQ(piped.exit_code, 0) << piped.err;
    EXPECT_EQ(piped.out, expected.out);
  }
  EXPECT_THAT(run_from(content("model").substr(0, 1000), {"info", "-"}).err,
              HasSubstr("does not occur in text"));
}

}  // namespace
}  // namespace mugrad::testing

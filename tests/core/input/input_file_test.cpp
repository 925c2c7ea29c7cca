// SPDX-License-Identifier: MIT
#include "core/input/input_file.h"

#include "support/compressed.h"
#include "support/environment.h"
#include "support/streams.h"
#include "support/temporary_folder.h"

#include <mugrad/core/error.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace mugrad {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using testing::EnvironmentVariable;
using testing::FedPipe;
using testing::gzip;
using ::testing::HasSubstr;
using testing::skipped_frame;
using testing::StandardInput;
using ::testing::StartsWith;
using ::testing::StrEq;
using testing::TemporaryFolder;
using ::testing::ThrowsMessage;
using testing::zstd;

/// Inputs of a folder, and another one for temporary files.
class Inputs : public ::testing::Test {
 protected:
  static std::string bytes_of(const fs::path& path) {
    const InputFile input(path);
    return input.file().while_whole([&] { return std::string(input.file().bytes()); });
  }
  std::string written(const std::string& name, const std::string& content) const {
    return bytes_of(folder.write(name, content));
  }
  /// The message of the InputError for an input with this content, the folder left out.
  std::string error(const std::string& content) const {
    const auto path = folder.write("input", content);
    try {
      bytes_of(path);
    } catch (const InputError& error) {
      const std::string message = error.what();
      return message.starts_with(path.string()) ? message.substr(path.string().size()) : message;
    }
    ADD_FAILURE() << "nothing was thrown";
    return {};
  }
  void TearDown() override {
    EXPECT_TRUE(fs::is_empty(temporary.path())) << "a temporary file is left";
  }

  const TemporaryFolder folder, temporary;
  const EnvironmentVariable tmpdir{"TMPDIR", temporary.path()};
  const std::string text = "x,y\n" + std::string(300'000, '1') + ",0\n";
};

TEST_F(Inputs, AreRecognisedByTheirContentWhateverTheirName) {
  EXPECT_EQ(written("a.gz", text), text);
  const auto half = text.substr(0, 1000);
  const auto rest = text.substr(1000);
  EXPECT_EQ(written("a", gzip(text)), text);
  EXPECT_EQ(written("a.zst", gzip(half) + gzip(rest)), text);
  EXPECT_EQ(written("a.csv", zstd(text)), text);
  EXPECT_EQ(written("a", zstd(half) + skipped_frame() + zstd(rest)), text);
  EXPECT_EQ(written("a", skipped_frame() + zstd(text)), text);
  for (const auto& empty : {std::string(), gzip(""), zstd(""), skipped_frame()}) {
    EXPECT_EQ(written("a", empty), "");
  }
}

TEST_F(Inputs, AreDecompressedOnce) { EXPECT_EQ(written("a", gzip(gzip(text))), gzip(text)); }

TEST_F(Inputs, OfPipesAreReadToTheirEnd) {
  for (const auto& content : {text, gzip(text), zstd(text)}) {
    const FedPipe pipe(folder / "pipe", content);
    EXPECT_EQ(bytes_of(pipe.path()), text);
    fs::remove(pipe.path());
  }
}

TEST_F(Inputs, LieInAFileWithoutANameWhileTheyAreRead) {
  const InputFile input(folder.write("a.gz", gzip(text)));
  EXPECT_TRUE(fs::is_empty(temporary.path()));
  EXPECT_EQ(input.file().bytes(), text);
}

TEST_F(Inputs, MayBeMoreThanCanBeMapped) {
  const auto path = folder.write("a.gz", gzip("some text"));
  std::vector<std::unique_ptr<InputFile>> many;
  for (int k = 0; k < 300; ++k) many.push_back(std::make_unique<InputFile>(path));
  for (const auto& input : many) EXPECT_EQ(input->file().bytes(), "some text");
}

TEST_F(Inputs, ThatAreMissingOrFoldersAreNamed) {
  EXPECT_THAT([&] { bytes_of(folder / "no"); },
              ThrowsMessage<InputError>("cannot read " + (folder / "no").string() +
                                        ": No such file or directory"));
  EXPECT_THAT(
      [&] { bytes_of(folder.path()); },
      ThrowsMessage<InputError>("cannot read " + folder.path().string() + ": it is a folder"));
}

class StandardInputs : public Inputs {
 protected:
  /// What "-" holds, with an open file as standard input.
  static std::string bytes_from(int descriptor) {
    const StandardInput given(descriptor);
    close(descriptor);
    return bytes_of("-");
  }
};

TEST_F(StandardInputs, MayBeAPipe) {
  for (const auto& content : {text, gzip(text), zstd(text)}) {
    const FedPipe pipe(folder / "pipe", content);
    EXPECT_EQ(bytes_from(open(pipe.path().c_str(), O_RDONLY | O_CLOEXEC)), text);
    fs::remove(pipe.path());
  }
}

TEST_F(StandardInputs, MayBeAFileFromWhereItsPositionIs) {
  for (const std::string& begin : {std::string(), std::string("a line that was read before\n")}) {
    for (const auto& content : {text, gzip(text), zstd(text)}) {
      const auto path = folder.write("file", begin + content);
      const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
      lseek(descriptor, static_cast<off_t>(begin.size()), SEEK_SET);
      EXPECT_EQ(bytes_from(descriptor), text);
    }
  }
}

TEST_F(StandardInputs, ThatAreClosedAreAnError) {
  const auto refused = ThrowsMessage<InputError>(StrEq("cannot read standard input: it is closed"));
  // As the program leaves a closed one.
  EXPECT_THAT([] { bytes_from(open("/", O_PATH | O_DIRECTORY | O_CLOEXEC)); }, refused);
  const StandardInput given(open("/dev/null", O_RDONLY | O_CLOEXEC));
  close(0);
  EXPECT_THAT([] { bytes_of("-"); }, refused);
}

TEST_F(StandardInputs, AreNotAFileOfThatName) {
  folder.write("-", "the file");
  const FedPipe pipe(folder / "pipe", "the pipe");
  const auto before = fs::current_path();
  fs::current_path(folder.path());
  EXPECT_EQ(bytes_from(open(pipe.path().c_str(), O_RDONLY | O_CLOEXEC)), "the pipe");
  EXPECT_EQ(bytes_of("./-"), "the file");
  fs::current_path(before);
}

TEST_F(Inputs, ThatAreCutShortAreAnErrorAtEveryByte) {
  for (const auto& whole : {gzip("some text"), zstd("some text")}) {
    for (std::size_t left = 4; left < whole.size(); ++left) {
      EXPECT_THAT(error(whole.substr(0, left)),
                  HasSubstr(fmt::format("data is incomplete: it ends after {} bytes", left)));
    }
    EXPECT_THAT(error(whole + whole.substr(0, whole.size() - 1)), HasSubstr("data is incomplete"));
  }
}

TEST_F(Inputs, WithAnyFlippedByteAreAnErrorOrAsTheyWere) {
  for (const auto& whole : {gzip("some text"), zstd("some text")}) {
    int refused = 0;
    for (std::size_t at = 4; at < whole.size(); ++at) {
      std::string flipped = whole;
      flipped[at] = static_cast<char>(flipped[at] ^ 0x55);
      try {
        // The time and the system of a gzip header mean nothing here.
        EXPECT_EQ(written("a", flipped), "some text") << at;
      } catch (const InputError& error) {
        ++refused;
        EXPECT_THAT(error.what(), HasSubstr("data is in"));  // -valid or -complete
      }
    }
    EXPECT_GT(refused, 8);
  }
}

TEST_F(Inputs, ThatAreCorruptAreNamedWithThePosition) {
  std::string large;
  for (int k = 0; k < 200'000; ++k) large += fmt::format("{},", k * 7919 % 100'003);
  auto stream = gzip(large);
  ASSERT_GT(stream.size(), 300'000U);
  stream.replace(stream.size() - 8, 4, "\1\2\3\4");
  EXPECT_EQ(error(stream), fmt::format(": the gzip data is invalid after byte {}: incorrect data "
                                       "check",
                                       stream.size() - 4));
  stream = zstd(large);
  stream.back() = static_cast<char>(stream.back() ^ 1);
  EXPECT_THAT(error(stream),
              AllOf(StartsWith(": the zstd data is invalid after byte "), HasSubstr("checksum")));
}

TEST_F(Inputs, WithSomethingBehindTheCompressedDataAreAnError) {
  for (const auto& whole : {gzip("some text"), zstd("some text")}) {
    for (const std::string& rest : {std::string("and more"), std::string(8, '\0')}) {
      EXPECT_THAT(error(whole + rest),
                  HasSubstr(fmt::format("is invalid after byte {}: what follows the end of the "
                                        "compressed data is something else",
                                        whole.size())));
    }
  }
}

TEST_F(Inputs, ThatDecompressToMoreThanTheLimitAreAnError) {
  const EnvironmentVariable limit("MUGRAD_TEMPORARY_LIMIT", "2MB");
  const std::string zeros(1'999'999, '0');
  for (const auto compress : {gzip, zstd}) {
    EXPECT_EQ(written("a", compress(zeros)), zeros);
    EXPECT_EQ(error(compress(zeros + zeros)),
              " has more than 2 MB when decompressed, the limit of temporary files: write the text "
              "to a file and name that, or raise MUGRAD_TEMPORARY_LIMIT");
  }
  EXPECT_EQ(written("a", zeros + zeros), zeros + zeros) << "a plain file needs no temporary one";
}

TEST_F(Inputs, OfPipesThatNeverEndAreAnError) {
  const EnvironmentVariable limit("MUGRAD_TEMPORARY_LIMIT", "2MB");
  // Neither text nor members without any text end.
  for (const auto& content : {text, gzip(""), gzip(text), zstd("")}) {
    const auto pipe = FedPipe::endless(folder / "pipe", content);
    EXPECT_THAT([&] { bytes_of(pipe.path()); },
                ThrowsMessage<InputError>(
                    AllOf(StartsWith(pipe.path().string()), HasSubstr("has more than 2 MB"))));
    fs::remove(pipe.path());
  }
}

TEST_F(Inputs, NeedALimitThatIsAnAmount) {
  for (const char* const wrong : {"much", "50%", "-1", "unlimited"}) {
    const EnvironmentVariable limit("MUGRAD_TEMPORARY_LIMIT", wrong);
    EXPECT_THAT([&] { written("a", gzip(text)); },
                ThrowsMessage<UsageError>(fmt::format(
                    "MUGRAD_TEMPORARY_LIMIT is '{}', expected an amount such as 8GB", wrong)));
    EXPECT_EQ(written("a", text), text);
  }
}

TEST_F(Inputs, NeedAFolderForTemporaryFiles) {
  const EnvironmentVariable none("TMPDIR", "/no/such/folder");
  EXPECT_THAT(error(gzip(text)),
              AllOf(StartsWith("cannot write a temporary file in /no/such/folder: No such file"),
                    HasSubstr("set TMPDIR")));
  EXPECT_EQ(written("a", text), text);
}

TEST_F(Inputs, EndWhereTheirProgressIsToldTo) {
  const std::string large(10 << 20, '1');
  const auto path = folder.write("a.gz", gzip(large));
  Index calls = 0;
  double last = 0;
  ProgressFunction patient([&](double share) {
    EXPECT_TRUE(share >= last && share <= 0.5) << share;
    last = share;
    ++calls;
    return true;
  });
  { const InputFile input(path, &patient); }
  EXPECT_GE(calls, 9);
  EXPECT_GT(last, 0.25);
  ProgressFunction impatient([&](double) { return --calls > 0; });
  EXPECT_THROW(InputFile(path, &impatient), InterruptedError);
  EXPECT_EQ(calls, 0);
}

TEST_F(Inputs, EndWhileAPipeHasNoBytes) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
  const StandardInput given(ends[0]);
  int asked = 0;
  ProgressFunction impatient([&](double share) {
    EXPECT_EQ(share, 0);
    return ++asked < 3;
  });
  EXPECT_THROW(InputFile("-", &impatient), InterruptedError);
  for (const int end : ends) close(end);
}

TEST_F(Inputs, OfPipesAreKeptForWorkThatReadsTwice) {
  const auto path = folder / "pipe";
  {
    const FedPipe pipe(path, gzip(text));
    const KeptInputs twice;
    EXPECT_EQ(bytes_of(path), text);
    {
      const KeptInputs again;
      EXPECT_EQ(bytes_of(path), text);
    }
    EXPECT_EQ(bytes_of(path), text);
  }
  fs::remove(path);
  const FedPipe pipe(path, "other text");
  EXPECT_EQ(bytes_of(path), "other text");
}

}  // namespace
}  // namespace mugrad

// SPDX-License-Identifier: MIT
#include "fetch/download.h"
#include "support/environment.h"
#include "support/http_server.h"
#include "support/temporary_folder.h"

#include <mugrad/core/error.h>
#include <mugrad/fetch/fetch.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <string>

namespace mugrad {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::EnvironmentVariable;
using ::testing::HasSubstr;
using testing::HttpResponse;
using testing::HttpServer;
using testing::read_file;
using ::testing::StartsWith;
using testing::TemporaryFolder;
using ::testing::ThrowsMessage;

constexpr const char* kData = "@relation tiny";
constexpr const char* kLabels = "<labels/>";
constexpr CatalogEntry kTiny = {
    .name = "tiny",
    .about = "made for this test",
    .data = {"tiny/Tiny-v1.arff", "tiny.arff",
             "c39f8f75ee08322c6e4e86622a9716273a92ac1c747bab792dcbe3951ab498da", 14},
    .labels = {"tiny/Tiny.xml", "tiny.xml",
               "9c7d733a8d8d4cd902aef19fcd1dd9b3cf3968d230f358ed7fbee83e0da43dd8", 9}};
constexpr const char* kDataPath = "/mirror/tiny/Tiny-v1.arff";
constexpr const char* kLabelsPath = "/mirror/tiny/Tiny.xml";

/// A mirror that has the tiny set, unless a test replaces its answers.
class Fetch : public ::testing::Test {
 protected:
  HttpResponse answer(const std::string& path) const {
    const auto found = answers_.find(path);
    return found == answers_.end() ? HttpResponse{.status = 404, .body = "no"} : found->second;
  }

  FetchOptions options() const {
    return {.from = server_.url() + "/mirror", .folder = folder_ / "sets", .progress = {}};
  }

  /// The fetch fails with these words, names the URL, says what to do, and leaves nothing.
  void expect_failure(const FetchOptions& options, const std::string& words) const {
    EXPECT_THAT(
        [&] { fetch(kTiny, options); },
        ThrowsMessage<InputError>(AllOf(
            HasSubstr(options.from + "/tiny/Tiny"), HasSubstr(words),
            HasSubstr("FetchOptions::from = URL, or put tiny/tiny.arff and tiny/tiny.xml into the "
                      "folder that MUGRAD_DATA names"))));
    expect_nothing_kept();
  }

  /// Neither a file, be it one of the two, nor a folder.
  void expect_nothing_kept() const { EXPECT_FALSE(fs::exists(folder_ / "sets")); }

  EnvironmentVariable no_proxy_{"no_proxy", "127.0.0.1"};
  TemporaryFolder folder_;
  std::map<std::string, HttpResponse> answers_ = {{kDataPath, {.body = kData}},
                                                  {kLabelsPath, {.body = kLabels}}};
  HttpServer server_{[this](const std::string& path) { return answer(path); }};
};

TEST_F(Fetch, PutsBothFilesUnderTheirLocalNames) {
  const fs::path data = fetch(kTiny, options());
  EXPECT_EQ(data, folder_ / "sets/tiny/tiny.arff");
  EXPECT_EQ(read_file(data), kData);
  EXPECT_EQ(read_file(folder_ / "sets/tiny/tiny.xml"), kLabels);
  EXPECT_THAT(server_.requests(), ElementsAre(kLabelsPath, kDataPath));
}

TEST_F(Fetch, AsksForNothingThatIsThereAlready) {
  fetch(kTiny, options());
  const auto before = server_.requests();
  fetch(kTiny, options());
  EXPECT_EQ(server_.requests(), before);
}

TEST_F(Fetch, ReplacesAFileWithTheWrongHash) {
  const fs::path data = fetch(kTiny, options());
  folder_.write("sets/tiny/tiny.arff", "damaged since");
  fetch(kTiny, options());
  EXPECT_EQ(read_file(data), kData);
  EXPECT_THAT(server_.requests(), ElementsAre(kLabelsPath, kDataPath, kDataPath));
}

TEST_F(Fetch, KeepsFilesInTheCacheUnlessToldOtherwise) {
  const EnvironmentVariable cache("XDG_CACHE_HOME", (folder_ / "cache").string());
  auto to_cache = options();
  to_cache.folder.clear();
  EXPECT_EQ(fetch(kTiny, to_cache), folder_ / "cache/mugrad/tiny/tiny.arff");
}

TEST_F(Fetch, TakesAMirrorWithASlashAtItsEnd) {
  auto with_slash = options();
  with_slash.from += "/";
  EXPECT_NO_THROW(fetch(kTiny, with_slash));
}

TEST_F(Fetch, RefusesAFileWithAnotherHash) {
  answers_[kDataPath].body = "@relation tinY";
  expect_failure(options(), " has SHA-256 ");
  expect_failure(options(), fmt::format("expected {}: the file has changed or is damaged; nothing "
                                        "was kept",
                                        kTiny.data.sha256));
}

TEST_F(Fetch, KeepsTheOldFileWhenTheNewOneIsRefused) {
  fs::create_directories(folder_ / "sets/tiny");
  const auto old = folder_.write("sets/tiny/tiny.arff", "old");
  answers_[kDataPath].body = "@relation other";
  EXPECT_THROW(fetch(kTiny, options()), InputError);
  EXPECT_EQ(read_file(old), "old");
}

TEST_F(Fetch, RefusesATransferThatBreaksOff) {
  answers_[kDataPath] = {.body = "@relation", .content_length = 14};
  expect_failure(options(), "the transfer was aborted after 9 of 14 bytes");
}

TEST_F(Fetch, ReportsAMissingFile) {
  answers_.erase(kLabelsPath);
  expect_failure(options(), "the server answered HTTP 404");
}

TEST_F(Fetch, StopsABodyThatIsLongerThanTheFile) {
  answers_[kDataPath].body += "!";
  expect_failure(options(), " has more than the 14 bytes expected: the file has changed");
  answers_[kDataPath] = {.body = std::string(1 << 16, 'x'), .then = HttpResponse::Then::repeat};
  expect_failure(options(), " has more than the 14 bytes expected: the file has changed");
}

TEST_F(Fetch, LeavesNoneOfTheFoldersThatItCreated) {
  answers_.erase(kDataPath);
  fs::create_directories(folder_ / "mine");
  for (const char* name : {"mine/new/deep", "mine/new/deep/"}) {
    auto elsewhere = options();
    elsewhere.folder = folder_ / name;
    EXPECT_THROW(fetch(kTiny, elsewhere), InputError);
    EXPECT_TRUE(fs::is_directory(folder_ / "mine"));
    EXPECT_FALSE(fs::exists(folder_ / "mine/new"));
  }
}

TEST_F(Fetch, LeavesAFolderThatWasThereEvenIfEmpty) {
  answers_.erase(kDataPath);
  fs::create_directories(folder_ / "sets/tiny");
  EXPECT_THROW(fetch(kTiny, options()), InputError);
  EXPECT_TRUE(fs::is_directory(folder_ / "sets/tiny"));
}

/// A server that has sent two bytes and no more, while the clock goes on by ten seconds whenever it
/// is looked at.
TEST_F(Fetch, EndsWhenHardlyAnythingArrives) {
  answers_[kDataPath] = {.body = "@r", .content_length = 14, .then = HttpResponse::Then::silence};
  bool has_begun = false;
  const auto progress = [&](std::int64_t received, std::int64_t) {
    has_begun = has_begun || received > 0;
    return true;
  };
  std::chrono::steady_clock::time_point now{};
  const auto clock = [&] {
    if (has_begun) now += std::chrono::seconds(10);
    return now;
  };
  EXPECT_THAT(
      [&] {
        download(server_.url() + kDataPath, {kTiny.data.bytes, kTiny.data.sha256}, progress, clock);
      },
      ThrowsMessage<DownloadError>(
          AllOf(HasSubstr(kDataPath),
                HasSubstr("fewer than 1000 bytes per second arrived for 30 seconds"))));
  EXPECT_TRUE(has_begun);
}

TEST_F(Fetch, ReportsAServerThatIsNotThere) {
  auto nobody = options();
  nobody.from = HttpServer([](const auto&) { return HttpResponse{}; }).url();
  expect_failure(nobody, "no connection to its host");
}

TEST_F(Fetch, ReportsAHostThatIsNotThere) {
  auto nobody = options();
  // Longer than any part of a host name may be: the resolver refuses without asking anyone.
  nobody.from = "http://" + std::string(64, 'x') + ".invalid";
  const EnvironmentVariable no_proxy("no_proxy", "*");
  expect_failure(nobody, "its host is unknown");
}

TEST_F(Fetch, FollowsARedirect) {
  answers_["/elsewhere"] = answers_[kDataPath];
  answers_[kDataPath] = {.status = 302, .body = "go away", .location = "/elsewhere"};
  EXPECT_EQ(read_file(fetch(kTiny, options())), kData);
}

TEST_F(Fetch, RefusesARedirectToAFileOrInACircle) {
  const auto secret = folder_.write("secret", kData);
  answers_[kDataPath] = {.status = 302, .location = "file://" + secret.string()};
  expect_failure(options(), "cannot fetch");
  answers_[kDataPath] = {.status = 302, .location = kDataPath};
  expect_failure(options(), "cannot fetch");
}

TEST_F(Fetch, RefusesMirrorsThatAreNoWebAddress) {
  for (const char* from : {"ftp://example.org", "file:///tmp", "/tmp", "example.org"}) {
    auto elsewhere = options();
    elsewhere.from = from;
    EXPECT_THAT([&] { fetch(kTiny, elsewhere); },
                ThrowsMessage<UsageError>(fmt::format(
                    "a mirror must be an http:// or https:// address, got '{}'", from)));
  }
  expect_nothing_kept();
}

TEST_F(Fetch, ReportsProgressOfEachFile) {
  std::map<std::string, std::int64_t> most;
  auto watched = options();
  watched.progress = [&](std::string_view file, std::int64_t received, std::int64_t total) {
    EXPECT_TRUE(total == 0 || received <= total);
    auto& so_far = most[std::string(file)];
    so_far = std::max(so_far, received);
    return true;
  };
  fetch(kTiny, watched);
  EXPECT_EQ(most["tiny.arff"], 14);
  EXPECT_EQ(most["tiny.xml"], 9);
}

TEST_F(Fetch, StopsWhenProgressSaysSo) {
  answers_[kDataPath].then = HttpResponse::Then::silence;
  answers_[kDataPath].body = "@relation";
  answers_[kDataPath].content_length = 14;
  auto interrupted = options();
  interrupted.progress = [](std::string_view file, std::int64_t received, std::int64_t) {
    return file != "tiny.arff" || received == 0;
  };
  EXPECT_THAT([&] { fetch(kTiny, interrupted); },
              ThrowsMessage<InterruptedError>(HasSubstr(kDataPath)));
  expect_nothing_kept();
}

TEST_F(Fetch, PassesOnWhatProgressThrows) {
  auto failing = options();
  failing.progress = [](auto&&...) -> bool { throw UsageError("from the callback"); };
  EXPECT_THAT([&] { fetch(kTiny, failing); }, ThrowsMessage<UsageError>("from the callback"));
  expect_nothing_kept();
}

TEST_F(Fetch, NamesAFolderThatCannotBeMade) {
  auto through_file = options();
  through_file.folder = folder_.write("file", "");
  EXPECT_THAT([&] { fetch(kTiny, through_file); },
              ThrowsMessage<InputError>(
                  StartsWith("cannot create the folder " + (folder_ / "file/tiny").string())));
}

using std::chrono::seconds;

TEST(MinimumSpeed, IsMissedByTwoBytesASecond) {
  const MinimumSpeed::Time start{};
  MinimumSpeed speed(start);
  for (int second = 0; second < 30; ++second) {
    EXPECT_FALSE(speed.is_missed(2 * second, start + seconds(second)));
  }
  EXPECT_TRUE(speed.is_missed(60, start + seconds(30)));
}

TEST(MinimumSpeed, IsKeptByAThousandBytesASecond) {
  const MinimumSpeed::Time start{};
  MinimumSpeed speed(start);
  for (int second = 0; second < 10'000; ++second) {
    ASSERT_FALSE(speed.is_missed(std::int64_t{1000} * second, start + seconds(second)));
  }
}

TEST(MinimumSpeed, IsMissedByATransferThatStopsHoweverFastItWas) {
  const MinimumSpeed::Time start{};
  MinimumSpeed speed(start);
  EXPECT_FALSE(speed.is_missed(1'000'000'000, start + seconds(1)));
  EXPECT_FALSE(speed.is_missed(1'000'000'000, start + seconds(30)));
  EXPECT_TRUE(speed.is_missed(1'000'000'000, start + seconds(31)));
}

}  // namespace
}  // namespace mugrad

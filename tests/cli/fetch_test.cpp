// SPDX-License-Identifier: MIT
#include "support/http_server.h"
#include "support/program.h"
#include "support/temporary_folder.h"

#include <mugrad/data/catalog.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mugrad::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class FetchCommand : public ::testing::Test {
 protected:
  ProgramResult run(const std::vector<std::string>& arguments) const {
    return run_mugrad(arguments, {.folder = folder_.path(),
                                  .environment = {{"MUGRAD_DATA", ""},
                                                  {"XDG_CACHE_HOME", folder_.path().string()}}});
  }
  TemporaryFolder folder_;
};

TEST_F(FetchCommand, WithoutANameListsTheSixSets) {
  const auto result = run({"fetch"});
  EXPECT_EQ(result.exit_code, 0);
  for (const auto& entry : catalog()) {
    EXPECT_THAT(result.out, HasSubstr(std::string(entry.name)));
  }
}

#ifdef MUGRAD_WITH_FETCH

TEST_F(FetchCommand, RefusesWhatHasAnotherHashAndKeepsNothing) {
  const HttpServer server([](const std::string&) { return HttpResponse{.body = "not the data"}; });
  const auto result = run({"fetch", "emotions", "--from", server.url()});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, AllOf(HasSubstr(server.url()), HasSubstr("SHA-256")));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "mugrad"));
}

TEST_F(FetchCommand, SaysWhenTheMirrorHasNoSuchFile) {
  const HttpServer server([](const std::string&) { return HttpResponse{.status = 404}; });
  const auto result = run({"fetch", "emotions", "--from", server.url()});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, AllOf(HasSubstr("404"), HasSubstr("--from")));
}

TEST_F(FetchCommand, FetchedSetIsThenKnownByItsName) {
  const auto* emotions = find_in_catalog("emotions");
  const auto local = find_local(*emotions);
  if (!local) GTEST_SKIP() << "needs the true files to serve: set MUGRAD_DATA or fetch emotions";
  const HttpServer server([&](const std::string& path) {
    return HttpResponse{.body = read_file(local->parent_path().parent_path() / path.substr(1))};
  });
  EXPECT_THAT(run({"train", "emotions"}).err, HasSubstr("mugrad fetch emotions"));
  ASSERT_EQ(run({"fetch", "emotions", "--from", server.url()}).exit_code, 0);
  const auto info = run({"info", "emotions", "--json"});
  EXPECT_THAT(info.out, HasSubstr("\"examples\": 593"));
}

#else

TEST_F(FetchCommand, SaysThatThisBuildHasNoDownloads) {
  const auto result = run({"fetch", "emotions"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr("built without libcurl and OpenSSL"),
                                HasSubstr("emotions/emotions.arff"), HasSubstr("MUGRAD_DATA")));
}

#endif

}  // namespace
}  // namespace mugrad::testing

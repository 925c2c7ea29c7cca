// SPDX-License-Identifier: MIT
#include "support/random_problem.h"
#include "support/temporary_folder.h"

#include <mugrad/core/error.h>
#include <mugrad/experiment/results.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>

namespace mugrad {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::read_file;
using testing::TemporaryFolder;
using ::testing::ThrowsMessage;

ResultsHead some_head() {
  return {.protocol = "2 random splits",
          .splits = 2,
          .test_share = 0.2,
          .sets = {{"emotions", 593, 72, 6, 1.868, 0xfedcba9876543210}},
          .contenders = {{"mgd", "mgd", "mgd --rho 0.1"}, {"br", "br", "br --rho 0.1"}}};
}

Record some_record(std::string contender, Index split) {
  return {.set = "emotions",
          .contender = std::move(contender),
          .split = split,
          .options = {{"rho", "0.1"}},
          .thresholds = "0.02 to 0.6",
          .metrics = {{metric_named("average-precision"), 0.1 + 0.2},
                      {metric_named("macro-f1 (mulan)"), 1.0 / 3}}};
}

TEST(ResultsFile, WhatIsAddedIsReadBackToTheLastBit) {
  const TemporaryFolder folder;
  auto failed = some_record("br", 0);
  failed.failure = "no \"room\"";
  failed.options.clear();
  failed.thresholds.clear();
  failed.metrics.clear();
  auto timed = some_record("mgd", 1);
  timed.seconds = 1.5;
  {
    auto file = ResultsFile::create(folder / "r", some_head());
    file.add(some_record("mgd", 0));
    file.add(failed);
    file.add(timed);
  }
  const auto results = read_results(folder / "r");
  EXPECT_EQ(results.head, some_head());
  EXPECT_EQ(results.records, (std::vector{some_record("mgd", 0), failed, timed}));
  EXPECT_EQ(results.find("emotions", "mgd", 1)->seconds, 1.5);
  EXPECT_EQ(results.find("emotions", "mgd", 2), nullptr);
}

TEST(ResultsFile, IsWholeAfterEveryCutAndGoesOn) {
  const TemporaryFolder folder;
  {
    auto file = ResultsFile::create(folder / "whole", some_head());
    file.add(some_record("mgd", 0));
    file.add(some_record("br", 0));
  }
  const std::string whole = read_file(folder / "whole");
  for (std::size_t bytes = 0; bytes <= whole.size(); ++bytes) {
    const auto cut = folder.write("cut", whole.substr(0, bytes));
    auto file = ResultsFile::resume(cut, some_head());
    for (const auto* name : {"mgd", "br"}) {
      if (file.results().find("emotions", name, 0) == nullptr) file.add(some_record(name, 0));
    }
    EXPECT_EQ(read_file(cut), whole) << bytes;
  }
}

TEST(ResultsFile, WhatIsNotItsOwnBeginningIsNeitherTakenForItNorTouched) {
  const TemporaryFolder folder;
  { ResultsFile::create(folder / "r", some_head()); }
  const std::string line = read_file(folder / "r");
  for (const std::string& text :
       {std::string("dear to someone"), line.substr(0, 20) + "x", std::string("{") + line}) {
    const auto path = folder.write("other", text.substr(0, text.find('\n')));
    const std::string before = read_file(path);
    EXPECT_THAT([&] { ResultsFile::resume(path, some_head()); },
                ThrowsMessage<InputError>(HasSubstr("is not a results file")));
    EXPECT_EQ(read_file(path), before);
  }
}

TEST(ResultsFile, OnlyOneRunAtATimeWritesToIt) {
  const TemporaryFolder folder;
  const auto is_refused = [&] {
    const std::string before = read_file(folder / "r");
    EXPECT_THAT([&] { ResultsFile::resume(folder / "r", some_head()); },
                ThrowsMessage<InputError>(AllOf(HasSubstr("another run is writing to"),
                                                HasSubstr((folder / "r").string()))));
    EXPECT_EQ(read_file(folder / "r"), before);
  };
  {
    auto created = ResultsFile::create(folder / "r", some_head());
    is_refused();
    auto moved = std::move(created);
    is_refused();
  }
  {
    auto resumed = ResultsFile::resume(folder / "r", some_head());
    is_refused();
    // Half a line of the other run: cutting it off would break the line.
    std::ofstream(folder / "r", std::ios::app) << "{\"set\":";
    is_refused();
  }
  auto resumed = ResultsFile::resume(folder / "r", some_head());
  resumed.add(some_record("mgd", 0));
  EXPECT_EQ(read_results(folder / "r").records.size(), 1);
}

TEST(ResultsFile, WhatFailedIsTakenOutToBeRetriedAndTheRestStays) {
  const TemporaryFolder folder;
  Record failed{.set = "emotions", .contender = "br", .split = 0, .failure = "no room"};
  {
    auto file = ResultsFile::create(folder / "r", some_head());
    file.add(some_record("mgd", 0));
    file.add(failed);
    file.add(some_record("mgd", 1));
  }
  EXPECT_EQ(ResultsFile::resume(folder / "r", some_head()).results().failures(), 1);
  std::ofstream(folder / "r", std::ios::app) << "{\"set\":";
  {
    auto file = ResultsFile::resume(folder / "r", some_head(), Resume::retry_failed);
    EXPECT_EQ(file.results().failures(), 0);
    EXPECT_THROW(ResultsFile::resume(folder / "r", some_head()), InputError);
    file.add(some_record("br", 0));
  }
  EXPECT_EQ(read_results(folder / "r").records,
            (std::vector{some_record("mgd", 0), some_record("mgd", 1), some_record("br", 0)}));
}

TEST(ResultsFile, NamesThatAreNoTextAreWrittenAsFarAsTheyAreAndGoneOnWith) {
  const TemporaryFolder folder;
  auto head = some_head();
  head.sets[0].name = "a\xff";
  head.contenders[1].name = "b\xfe";
  {
    auto file = ResultsFile::create(folder / "r", head);
    EXPECT_EQ(file.results().head.sets[0].name, "a\uFFFD");
    auto record = some_record(file.results().head.contenders[1].name, 0);
    record.set = file.results().head.sets[0].name;
    file.add(record);
  }
  const auto file = ResultsFile::resume(folder / "r", head);
  EXPECT_NE(file.results().find("a\uFFFD", "b\uFFFD", 0), nullptr);
  // Two names that cannot be told apart in the file make none.
  head.contenders[0].name = "b\xff";
  EXPECT_THAT([&] { ResultsFile::create(folder / "none", head); },
              ThrowsMessage<InputError>(HasSubstr("two methods are called 'b\uFFFD'")));
  EXPECT_FALSE(std::filesystem::exists(folder / "none"));
}

TEST(ResultsFile, RecordsThatTheHeadDoesNotKnowAreNamedWithTheirLine) {
  const TemporaryFolder folder;
  {
    auto file = ResultsFile::create(folder / "r", some_head());
    file.add(some_record("mgd", 1));
  }
  const std::string good = read_file(folder / "r");
  const auto refuses = [&](const std::string& set, const std::string& method,
                           const std::string& split, const std::string& why) {
    const auto path = folder.write("bad", good + "{\"set\":\"" + set + "\",\"method\":\"" + method +
                                              "\",\"split\":" + split + ",\"failure\":\"none\"}\n");
    EXPECT_THAT([&] { read_results(path); }, ThrowsMessage<InputError>(HasSubstr("bad:3: " + why)));
  };
  refuses("emotions", "br", "-1", "split must be a whole number from 0 to 1, got -1");
  refuses("emotions", "br", "2", "split must be a whole number from 0 to 1, got 2");
  refuses("emotions", "br", "0.5", "split must be a whole number from 0 to 1, got 0.5");
  refuses("enron", "br", "0", "line 1 names no data set 'enron'");
  refuses("emotions", "cc", "0", "line 1 names no method 'cc'");
  refuses("emotions", "mgd", "1", "mgd on emotions, split 1, occurs twice");
}

TEST(ResultsFile, IsNotReplaced) {
  const TemporaryFolder folder;
  const auto path = folder.write("r", "dear to someone");
  EXPECT_THAT([&] { ResultsFile::create(path, some_head()); },
              ThrowsMessage<InputError>(HasSubstr("exists: resume it (ResultsFile::resume)")));
  EXPECT_EQ(read_file(path), "dear to someone");
}

TEST(ResultsFile, OfAnotherComparisonIsNotGoneOnWith) {
  const TemporaryFolder folder;
  { ResultsFile::create(folder / "r", some_head()); }
  const auto refuses = [&](const ResultsHead& head, const char* why) {
    EXPECT_THAT([&] { ResultsFile::resume(folder / "r", head); },
                ThrowsMessage<InputError>(HasSubstr(why)));
  };
  auto head = some_head();
  head.protocol = "3 random splits";
  refuses(head, "its protocol is '2 random splits', not '3 random splits'");
  head = some_head();
  head.sets[0].fingerprint = 1;
  refuses(head, "the data of emotions are not the same");
  head = some_head();
  head.contenders[1].text = "br --rho 1";
  refuses(head, "it has 'br: br --rho 0.1' instead of 'br: br --rho 1'");
  head = some_head();
  head.contenders[1].name = "mine";
  refuses(head, "it has 'br: br --rho 0.1' instead of 'mine: br --rho 0.1'");
  head = some_head();
  head.contenders.pop_back();
  refuses(head, "it has 2 methods, not 1");
}

TEST(ResultsFile, WhatIsNoneIsNamedWithItsLine) {
  const TemporaryFolder folder;
  EXPECT_THAT([&] { read_results(folder / "none"); },
              ThrowsMessage<InputError>(HasSubstr("cannot read")));
  EXPECT_THAT([&] { read_results(folder.write("a", "{}\n")); },
              ThrowsMessage<InputError>(HasSubstr("is not a results file")));
  EXPECT_THAT([&] { read_results(folder.write("b", "{\"mugrad-results\":9}\n")); },
              ThrowsMessage<InputError>(HasSubstr("version 9; this program reads 1")));
  { ResultsFile::create(folder / "c", some_head()); }
  const auto path = folder.write("c2", read_file(folder / "c") + "{\"set\":3}\n");
  EXPECT_THAT([&] { read_results(path); },
              ThrowsMessage<InputError>(HasSubstr("c2:2: set must be a string, got 3")));
}

TEST(ResultsFile, NumbersThatDriveWorkAreBounded) {
  const TemporaryFolder folder;
  { ResultsFile::create(folder / "r", some_head()); }
  const auto head = nlohmann::json::parse(read_file(folder / "r"));
  const auto refuses = [&](const std::string& where, const nlohmann::json& value,
                           const std::string& why) {
    auto changed = head;
    changed[nlohmann::json::json_pointer(where)] = value;
    const auto path = folder.write("bad", changed.dump() + "\n");
    EXPECT_THAT([&] { read_results(path); }, ThrowsMessage<InputError>(HasSubstr("bad:1: " + why)));
  };
  refuses("/splits", 0, "splits must be a whole number from 1 to 9007199254740992, got 0");
  refuses("/splits", 1e30, "splits must be a whole number");
  refuses("/splits", "2", "splits must be a whole number");
  refuses("/test_share", -0.2, "test_share must be a number from 0 to 1, got -0.2");
  refuses("/test_share", 1, "test_share must be below 1");
  refuses("/test_share", nullptr, "test_share must be a number");
  refuses("/sets/0/rows", 1e30, "sets[0].rows must be a whole number");
  refuses("/sets/0/labels", -1, "sets[0].labels must be a whole number");
  refuses("/sets/0/cardinality", 1e300, "sets[0].cardinality must be a number from 0 to");
  refuses("/sets/0/fingerprint", "-1", "sets[0].fingerprint must be up to 16 hexadecimal digits");
  refuses("/sets/0/fingerprint", "11111111111111111", "sets[0].fingerprint must be up to 16");
  refuses("/sets", nlohmann::json(257, head["sets"][0]), "sets must be at most 256 data sets");
  refuses("/methods", nlohmann::json(129, head["methods"][0]), "methods must be at most 128");
  refuses("/methods/0", 3, "methods[0] must be an object with 'name', got 3");
}

TEST(ResultsFile, HasMetricsByNameInTheOrderOfTheNames) {
  const TemporaryFolder folder;
  auto record = some_record("mgd", 0);
  record.metrics.clear();
  for (const auto* name : {"subset-accuracy", "precision@3", "macro-f1 (mulan)", "macro-f1",
                           "ndcg@1", "coverage", "average-precision"}) {
    record.metrics[metric_named(name)] = 0.5;
  }
  {
    auto file = ResultsFile::create(folder / "r", some_head());
    file.add(record);
  }
  EXPECT_THAT(read_file(folder / "r"),
              HasSubstr(R"j("metrics":{"average-precision":0.5,"coverage":0.5,"macro-f1":0.5,)j"
                        R"j("macro-f1 (mulan)":0.5,"ndcg@1":0.5,"precision@3":0.5,)j"
                        R"j("subset-accuracy":0.5}})j"));
  EXPECT_EQ(read_results(folder / "r").records, std::vector{record});
}

TEST(ResultsFile, MetricsAndSecondsThatAreNoneAreNamedWithTheirLine) {
  const TemporaryFolder folder;
  { ResultsFile::create(folder / "r", some_head()); }
  const auto refuses = [&](const std::string& rest, const std::string& why) {
    const auto path = folder.write(
        "bad", read_file(folder / "r") +
                   R"({"set":"emotions","method":"br","split":0,"options":{},"thresholds":"",)" +
                   rest + "}\n");
    EXPECT_THAT([&] { read_results(path); }, ThrowsMessage<InputError>(HasSubstr("bad:2: " + why)));
  };
  refuses(R"("metrics":{"coverage":"a"})",
          "metrics.coverage must be a number from -1000000000000 to");
  refuses(R"("metrics":{"coverage":1e300})",
          "metrics.coverage must be a number from -1000000000000 to");
  refuses(R"("metrics":{"speed":1})", "metrics.speed: there is no metric \'speed\'; there are ");
  refuses(R"("metrics":[])", "metrics must be an object, got a list of 0");
  refuses(R"("metrics":{},"seconds":-1)", "seconds must be a number from 0 to");
  refuses(R"("metrics":{},"metrics":{})", "it has the key 'metrics' twice");
}

TEST(ResultsFile, LinesNestedDeepAreRefused) {
  const TemporaryFolder folder;
  { ResultsFile::create(folder / "r", some_head()); }
  const auto path = folder.write("deep", read_file(folder / "r") + std::string(80'000, '[') + "\n");
  EXPECT_THAT([&] { read_results(path); },
              ThrowsMessage<InputError>(HasSubstr("deep:2: it is nested more than 16 levels")));
  EXPECT_THROW(read_results(folder.write("first", std::string(80'000, '[') + "\n")), InputError);
}

TEST(Fingerprint, ChangesWithAnyEntryAndNotWithStorage) {
  const auto data = testing::random_problem({.rows = 20, .feature_probability = 0.5}, 1);
  auto same = data;
  same.x = testing::as_sparse(data.x);
  EXPECT_EQ(fingerprint(data), fingerprint(same));
  auto other = data;
  other.x.dense()(3, 2) += 1e-9;
  EXPECT_NE(fingerprint(data), fingerprint(other));
  auto relabelled = data;
  relabelled.y = testing::random_problem({.rows = 20}, 2).y;
  EXPECT_NE(fingerprint(data), fingerprint(relabelled));
}

}  // namespace
}  // namespace mugrad

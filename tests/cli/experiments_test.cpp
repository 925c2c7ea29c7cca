// SPDX-License-Identifier: MIT
// Tune, compare, study and report, as they are typed.
#include "support/command_test.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <thread>

namespace mugrad::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Experiments : public CommandTest {
 protected:
  /// The arguments of a small comparison into a file.
  static std::vector<std::string> comparison(const std::string& file) {
    return {"compare",
            "data.arff",
            "other.arff",
            "--methods",
            "mgd,br",
            "--entry",
            "plain: br --rho 0.1 --thresholds keep",
            "--repeats",
            "3",
            "--inner-folds",
            "2",
            "-o",
            file};
  }
  static std::vector<std::string> with(std::vector<std::string> arguments, std::string one_more) {
    arguments.push_back(std::move(one_more));
    return arguments;
  }
  void make_two() const {
    make_data();
    out_of({"generate", "-o", "other.arff", "--rows", "120", "--features", "8", "--labels", "5",
            "--seed", "3"});
  }
};

TEST_F(Experiments, TuneSavesTheTableAndTheModelOfTheBest) {
  make_data();
  const auto found = json_of({"tune", "data.arff", "--rho", "0.01,0.1,1", "--sigma", "0,0.3",
                              "--table", "t.csv", "-o", "m"});
  EXPECT_EQ(found["trials"].size(), 6);
  EXPECT_THAT(read_file(folder_ / "t.csv"), StartsWith("rho,sigma,average-precision,"));
  const auto info = json_of({"info", "m"});
  EXPECT_EQ(info["options"]["rho"], found["best"]["options"]["rho"]);
  EXPECT_THAT(out_of({"tune", "data.arff", "--method", "br", "--rho", "0.01,1"}),
              StartsWith("average-precision   rho  threshold\n"));
}

/// The share that a progress line shows last, in hundredths.
int last_percentage(const std::string& shown) {
  const auto sign = shown.rfind(" %");
  if (sign == std::string::npos) return 0;
  const auto begin = shown.find_last_not_of("0123456789", sign - 1) + 1;
  return begin == sign ? 0 : std::stoi(shown.substr(begin, sign - begin));
}

TEST_F(Experiments, TuneKeepsWhatItFinishedWhenItIsInterrupted) {
  make_data();
  // Far more work than it takes to be seen half done.
  std::string values = "0.1";
  for (int k = 2; k <= 40; ++k) values += "," + std::to_string(k) + "e-1";
  bool is_sent = false;
  const auto result = run_mugrad_on_terminal(
      {"tune", "data.arff", "--rho", values, "--sigma", "0.1", "--solver", "plain", "--tolerance",
       "0", "--iterations", "3000", "--inner-folds", "2", "--table", "t.csv", "--threads", "1"},
      [&](const std::string& shown) -> std::optional<int> {
        if (is_sent || last_percentage(shown) < 55) return std::nullopt;
        is_sent = true;
        return SIGTERM;
      },
      {.folder = folder_.path(), .environment = {{"MUGRAD_DATA", ""}}});
  EXPECT_EQ(result.exit_code, 128 + SIGTERM);
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("interrupted: 40 settings were tried on 1 of 2 inner parts"),
                    HasSubstr("t.csv has them"), HasSubstr("no file is half-written")));
  const auto table = read_file(folder_ / "t.csv");
  EXPECT_THAT(table, StartsWith("rho,average-precision,folds,"));
  EXPECT_EQ(std::ranges::count(table, '\n'), 41);
  EXPECT_THAT(table, Not(HasSubstr("nan")));
}

TEST_F(Experiments, AComparisonOfEverSoManySplitsStartsAtOnceAndEndsWhenToldTo) {
  make_data();
  for (const std::string kind : {"--untuned", "--stratified"}) {
    bool is_sent = false;
    const auto result =
        run_mugrad_on_terminal({"compare", "data.arff", "--methods", "br", "--untuned", "--repeats",
                                "2147483647", kind, "-o", "r" + kind},
                               [&](const std::string& shown) -> std::optional<int> {
                                 if (is_sent || shown.find("br split") == std::string::npos)
                                   return std::nullopt;
                                 is_sent = true;
                                 return SIGTERM;
                               },
                               {.folder = folder_.path(), .environment = {{"MUGRAD_DATA", ""}}});
    EXPECT_EQ(result.exit_code, 128 + SIGTERM);
    EXPECT_THAT(result.err, HasSubstr("the same command with --resume continues"));
  }
}

TEST_F(Experiments, CompareTunesForEachMetricWhereItIsTold) {
  make_data();
  const std::vector<std::string> arguments = {"compare",   "data.arff", "--methods",     "br",
                                              "--repeats", "1",         "--inner-folds", "2"};
  const auto with_all = [&](std::initializer_list<std::string> more) {
    auto all = arguments;
    all.insert(all.end(), more);
    return all;
  };
  out_of(with_all({"--metric", "each", "-o", "for-all"}));
  out_of({"compare", "data.arff", "--entry", "br --metric each", "--repeats", "1", "--inner-folds",
          "2", "-o", "by-entry"});
  EXPECT_EQ(read_file(folder_ / "for-all"), read_file(folder_ / "by-entry"));
  EXPECT_THAT(read_file(folder_ / "for-all"), HasSubstr("for micro-f1"));
  EXPECT_THAT(out_of({"compare", "--help"}), HasSubstr("each: report every metric"));
  // Elsewhere there is one model, and one metric to choose it by.
  EXPECT_EQ(run({"tune", "data.arff", "--metric", "each"}).exit_code, 2);
}

TEST_F(Experiments, NamesAreSeparatedByCommasOrBlanksWhereverTheyStand) {
  make_two();
  const auto rows = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--untuned", "--repeats", "1", "-o", "r.jsonl"});
    std::filesystem::remove(folder_ / "r.jsonl");
    out_of(arguments);
    return read_file(folder_ / "r.jsonl");
  };
  const auto expected = rows({"compare", "data.arff", "other.arff", "--methods", "mgd,br"});
  EXPECT_EQ(rows({"compare", "data.arff", "other.arff", "--methods", "mgd", "br"}), expected);
  EXPECT_EQ(rows({"compare", "--methods", "mgd", "br", "data.arff", "other.arff"}), expected);
  EXPECT_EQ(rows({"compare", "--methods", "mgd,br", "data.arff", "other.arff"}), expected);

  const auto tables = out_of({"report", "r.jsonl", "--metrics", "micro-f1,coverage"});
  EXPECT_THAT(tables, AllOf(HasSubstr("micro-f1"), HasSubstr("coverage")));
  EXPECT_THAT(tables, Not(HasSubstr("hamming-loss")));
  EXPECT_EQ(out_of({"report", "r.jsonl", "--metrics", "micro-f1", "coverage"}), tables);
  EXPECT_EQ(out_of({"report", "--metrics", "micro-f1", "coverage", "r.jsonl"}), tables);
  EXPECT_EQ(out_of({"report", "--metrics", "micro-f1,coverage", "r.jsonl"}), tables);
  EXPECT_EQ(run({"report", "--metrics", "micro-f1", "coverage"}).exit_code, 2);
  EXPECT_EQ(run({"compare", "--methods", "mgd", "br", "-o", "x"}).exit_code, 2);
  EXPECT_THAT(run({"report", "r.jsonl", "coverage"}).err, HasSubstr("coverage does not exist"));
}

TEST_F(Experiments, TrainAutoIsTuneThenTrain) {
  make_data();
  out_of({"tune", "data.arff", "--method", "br", "-o", "a", "--quiet"});
  out_of({"train", "data.arff", "--method", "br", "--auto", "-o", "b", "--quiet"});
  EXPECT_EQ(read_file(folder_ / "a"), read_file(folder_ / "b"));
  const auto without = run({"train", "data.arff", "--metric", "micro-f1"});
  EXPECT_EQ(without.exit_code, 2);
  EXPECT_THAT(without.err, HasSubstr("--auto"));
}

TEST_F(Experiments, WrongSearchesAreRefusedWithoutWork) {
  make_data();
  const auto refuses = [&](std::vector<std::string> arguments, const char* why) {
    arguments.insert(arguments.begin(), {"tune", "data.arff"});
    const auto result = run(arguments);
    EXPECT_EQ(result.exit_code, 2) << why;
    EXPECT_THAT(result.err, HasSubstr(why));
  };
  refuses({"--rho", "1..2"}, "set how many settings to draw");
  refuses({"--rho", "0.1,-1"}, "rho must be >= 0, got -1");
  refuses({"--metric", "speed"}, "there is no metric 'speed'");
  refuses({"--thresholds", "some"}, "there is no rule for thresholds 'some'");
}

TEST_F(Experiments, AComparisonTellsHowManyResultsThereAreAndRetriesWhatFailed) {
  make_two();
  const auto told = json_of(comparison("r.jsonl"));
  EXPECT_EQ(told, (nlohmann::json{{"results", "r.jsonl"}, {"records", 18}, {"failures", 0}}));
  const std::string whole = read_file(folder_ / "r.jsonl");
  const auto last = whole.rfind('\n', whole.size() - 2) + 1;
  folder_.write("r.jsonl", whole.substr(0, last) +
                               R"({"set":"other","method":"plain","split":2,"failure":"no room"})" +
                               "\n");
  EXPECT_EQ(json_of(with(comparison("r.jsonl"), "--resume"))["failures"], 1);
  EXPECT_THAT(out_of({"report", "r.jsonl"}), HasSubstr("plain failed on other, split 3: no room"));
  EXPECT_EQ(run(with(comparison("r.jsonl"), "--retry-failed")).exit_code, 2);
  EXPECT_EQ(json_of(with(with(comparison("r.jsonl"), "--resume"), "--retry-failed"))["failures"],
            0);
  EXPECT_EQ(read_file(folder_ / "r.jsonl"), whole);
}

TEST_F(Experiments, AComparisonInWhichNothingSucceedsIsAnError) {
  make_data();
  const auto result = run({"compare", "data.arff", "--entry",
                           "far: mgd --solver plain --alpha 1e6 --thresholds keep", "--repeats",
                           "1", "-o", "r.jsonl"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("every run failed: r.jsonl has the reasons"));
  EXPECT_THAT(read_file(folder_ / "r.jsonl"), HasSubstr("\"failure\":"));
}

TEST_F(Experiments, DataThatChangeUnderAComparisonAreNotedAndNotMixed) {
  make_data();
  const std::string first = read_file(folder_ / "data.arff");
  std::filesystem::remove(folder_ / "data.arff");
  const auto pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::filesystem::create_symlink("pipe", folder_ / "data.arff");
  folder_.write("later", first.substr(0, first.rfind('\n', first.size() - 2) + 1));
  std::thread writer([&] {
    const int descriptor = open(pipe.c_str(), O_WRONLY | O_CLOEXEC);  // waits for the reader
    std::filesystem::rename(folder_ / "later", folder_ / "data.arff");
    EXPECT_EQ(write(descriptor, first.data(), first.size()), std::ssize(first));
    close(descriptor);
  });
  const auto result =
      run({"compare", "data.arff", "--methods", "br", "--untuned", "-o", "r.jsonl"});
  const int release = open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);  // if none read it
  writer.join();
  close(release);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("data.arff changed during the comparison"));
  EXPECT_EQ(std::ranges::count(read_file(folder_ / "r.jsonl"), '\n'), 1);
}

TEST_F(Experiments, TheNameOfAReportSaysWhatItHolds) {
  make_data();
  out_of({"compare", "data.arff", "--methods", "br", "--untuned", "--repeats", "1", "-o", "r.jsonl",
          "--quiet"});
  out_of({"report", "r.jsonl", "-o", "r.json"});
  EXPECT_TRUE(nlohmann::json::parse(read_file(folder_ / "r.json")).contains("results"));
  const auto unknown = run({"report", "r.jsonl", "-o", "r.doc"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr(".html, .htm, .json, .md, .csv, .tex, .txt"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "r.doc"));
  out_of({"report", "r.jsonl", "-o", "r.doc", "--format", "markdown"});
  EXPECT_THAT(read_file(folder_ / "r.doc"), HasSubstr("| br |"));
  const auto metric = run({"report", "r.jsonl", "--metrics", "coverage (foo)"});
  EXPECT_EQ(metric.exit_code, 2);
  EXPECT_THAT(metric.err, HasSubstr("there is no convention 'foo'"));
  const auto unmeasured = run({"report", "r.jsonl", "--metrics", "coverage (mulan)"});
  EXPECT_EQ(unmeasured.exit_code, 2);
  EXPECT_THAT(unmeasured.err, HasSubstr("no results have the metric 'coverage (mulan)'"));
  EXPECT_THAT(out_of({"report", "r.jsonl", "--metrics", "macro-f1 (mulan)"}),
              HasSubstr("macro-f1 (mulan) (larger is better)"));
}

TEST_F(Experiments, FilesThatDisagreeOnAMethodArePutTogetherOnlyWhenAsked) {
  make_two();
  const auto compare = [&](const char* data, const char* entry, const char* file) {
    out_of({"compare", data, "--entry", entry, "--repeats", "1", "-o", file, "--quiet"});
  };
  compare("data.arff", "b: br --rho 0.1 --thresholds keep", "a.jsonl");
  compare("other.arff", "b: br --rho 1 --thresholds keep", "b.jsonl");
  const auto refused = run({"report", "a.jsonl", "b.jsonl"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("different methods called 'b'"));
  const auto document = json_of({"report", "a.jsonl", "b.jsonl", "--allow-different-options"});
  EXPECT_THAT(document["results"]["methods"][0]["summary"].get<std::string>(), HasSubstr(" | "));
}

TEST_F(Experiments, AComparisonIsNotStartedOverItsResults) {
  make_two();
  out_of(with(comparison("r.jsonl"), "--quiet"));
  const auto again = run(comparison("r.jsonl"));
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_THAT(again.err, HasSubstr("r.jsonl exists: resume it (--resume)"));
  auto other = with(comparison("r.jsonl"), "--resume");
  other.insert(other.end(), {"--seed", "9"});
  const auto mixed = run(other);
  EXPECT_EQ(mixed.exit_code, 1);
  EXPECT_THAT(mixed.err, HasSubstr("cannot be resumed: its protocol is"));
}

TEST_F(Experiments, ReportsShowResultsStudiesAndAModel) {
  make_two();
  out_of(with(comparison("r.jsonl"), "--quiet"));
  EXPECT_THAT(out_of({"report", "r.jsonl"}),
              AllOf(HasSubstr("average-precision (larger is better)"), HasSubstr("Friedman:"),
                    HasSubstr("macro-f1 (mulan)")));
  out_of({"report", "r.jsonl", "-o", "r.tex"});
  EXPECT_THAT(read_file(folder_ / "r.tex"), HasSubstr("\\begin{tabular}{lccr}"));
  out_of({"report", "r.jsonl", "-o", "r.csv", "--metrics", "coverage"});
  EXPECT_THAT(read_file(folder_ / "r.csv"), Not(HasSubstr("micro-f1")));
  out_of({"study", "convergence", "data.arff", "--steps", "30", "-o", "curve.json"});
  out_of({"study", "sensitivity", "data.arff", "--rhos", "0.1,1", "--sigmas", "0,0.3", "-o",
          "map.json"});
  out_of({"train", "data.arff", "-o", "model"});
  const auto document = json_of({"report", "r.jsonl", "curve.json", "map.json", "model"});
  for (const auto* part : {"results", "convergence", "sensitivity", "relations"}) {
    EXPECT_TRUE(document.contains(part)) << part;
  }
  const auto none = run({"report", "data.arff"});
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_THAT(none.err, HasSubstr("neither results of mugrad compare, nor a study, nor a model"));
}

}  // namespace
}  // namespace mugrad::testing

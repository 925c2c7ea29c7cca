// SPDX-License-Identifier: MIT
// A rank that is killed ends the job, and a checkpoint lets others go on.
#include "support/program.h"
#include "support/temporary_folder.h"

#include <mugrad/model/model.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace mugrad::testing {
namespace {

using ::testing::HasSubstr;
using Clock = std::chrono::steady_clock;

/// The processes that this one started.
std::vector<pid_t> children_of(pid_t process) {
  std::vector<pid_t> children;
  const std::string id = std::to_string(process);
  std::ifstream list("/proc/" + id + "/task/" + id + "/children");
  for (pid_t child = 0; list >> child;) children.push_back(child);
  return children;
}

/// The ranks themselves, behind those that watch them; empty before all are there.
std::vector<pid_t> ranks_below(pid_t launcher) {
  std::vector<pid_t> ranks;
  for (const pid_t watcher : children_of(launcher)) {
    const auto workers = children_of(watcher);
    if (workers.empty()) return {};
    ranks.push_back(workers.front());
  }
  return ranks;
}

/// Whether a process does anything still; one that has ended may stay in the list of processes.
bool is_running(pid_t process) {
  std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
  std::string id, name, state;
  return (stat >> id >> name >> state) && state != "Z" && state != "X";
}

/// Whether a child has ended; it stays to be waited for.
bool has_ended(pid_t child) {
  siginfo_t info = {};
  return waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == child;
}

class Checkpoint : public ::testing::Test {
 protected:
  enum class Victim { rank, watcher };

  /// Trains on four ranks and kills one of them, or who watches it, when there is a checkpoint.
  ProgramResult train_and_kill(Victim victim) {
    auto arguments = training("killed");
    // Far more than it takes to kill it: no tolerance is reached before rounding allows no more.
    arguments.insert(arguments.end(), {"--tolerance", "0", "--iterations", "1000000"});
    return run_mugrad(arguments,
                      {.folder = folder_.path(),
                       .environment = {},
                       .ranks = 4,
                       .meanwhile = [=, this](int launcher) { kill_one(launcher, victim); }});
  }
  /// Waits until no rank runs any more, for so long at most; how long it took since the kill.
  double seconds_until_all_had_ended() const {
    while (std::ranges::any_of(processes_, is_running) &&
           Clock::now() - killed_at_ < std::chrono::seconds(20)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return std::chrono::duration<double>(Clock::now() - killed_at_).count();
  }
  static std::vector<std::string> to_the_end(const std::string& model,
                                             const std::string& saved = "saved") {
    auto arguments = training(model, saved);
    arguments.insert(arguments.end(), {"--tolerance", "1e-9"});
    return arguments;
  }
  static std::vector<std::string> training(const std::string& model,
                                           const std::string& saved = "saved") {
    return {"train", "data.xmc", "-o",           model, "--precision",        "double",
            "--rho", "0.1",      "--checkpoint", saved, "--checkpoint-every", "0",
            "--json"};
  }
  void make_data(const std::string& labels = "400") const {
    const auto result = run_mugrad({"generate", "-o", "data.xmc", "--rows", "1000", "--features",
                                    "60", "--labels", labels, "--density", "0.5", "--seed", "3"},
                                   {.folder = folder_.path(), .environment = {}});
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }
  bool has_checkpoint() const { return std::filesystem::exists(folder_ / "saved/checkpoint.json"); }

  /// Kills one when a file of the checkpoint is there.
  void kill_one(pid_t launcher, Victim victim, const std::string& file = "checkpoint.json") {
    // It either comes to a checkpoint or ends, and then the test fails below.
    while (!std::filesystem::exists(folder_ / "saved" / file) && !has_ended(launcher)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    const auto ranks = ranks_below(launcher);
    ASSERT_EQ(ranks.size(), 4U);
    processes_ = ranks;
    killed_at_ = Clock::now();
    kill(victim == Victim::rank ? ranks[2] : children_of(launcher)[2], SIGKILL);
  }

  TemporaryFolder folder_;
  std::vector<pid_t> processes_;
  Clock::time_point killed_at_;
};

TEST_F(Checkpoint, OfAKilledRunIsWhereFewerRanksGoOn) {
  make_data();
  const auto killed = train_and_kill(Victim::rank);
  const double took = seconds_until_all_had_ended();
  EXPECT_EQ(killed.exit_code, 1);
  EXPECT_THAT(killed.err, HasSubstr("of 4 was killed by signal 9"));
  EXPECT_LT(took, 10);
  RecordProperty("milliseconds_until_all_had_ended", static_cast<int>(1000 * took));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "killed"));
  ASSERT_TRUE(has_checkpoint());

  // As a rank that is killed while it writes leaves it.
  folder_.write("saved/.mugrad-0123456789abcdef-0123456789abcdef.tmp", "a part");
  const auto resumed =
      run_mugrad(to_the_end("resumed"), {.folder = folder_.path(), .environment = {}, .ranks = 2});
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_GE(nlohmann::json::parse(resumed.out)["resumed_at"].get<int>(), 1);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "saved")) << "a run that has ended needs none";

  std::filesystem::create_directory(folder_ / "other");
  const auto whole = run_mugrad(to_the_end("fresh", "other"),
                                {.folder = folder_.path(), .environment = {}, .ranks = 3});
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  EXPECT_TRUE(std::filesystem::is_empty(folder_ / "other")) << "it was there before";
  const auto a = Model::load(folder_ / "resumed");
  const auto b = Model::load(folder_ / "fresh");
  const auto& found = std::get<Matrix<double>>(a.contents().weights);
  const auto& expected = std::get<Matrix<double>>(b.contents().weights);
  double difference = 0;
  double size = 0;
  for (std::size_t k = 0; k < expected.values().size(); ++k) {
    difference += std::pow(expected.values()[k] - found.values()[k], 2);
    size += std::pow(expected.values()[k], 2);
  }
  EXPECT_LE(std::sqrt(difference / size), 1e-6);
}

TEST_F(Checkpoint, KeepsTheFoldsThatThresholdsAreCountedFrom) {
  make_data("100");
  const auto killed = run_mugrad(
      to_the_end("killed"),
      {.folder = folder_.path(), .environment = {}, .ranks = 4, .meanwhile = [this](int launcher) {
         kill_one(launcher, Victim::rank, "counts.bin");
       }});
  ASSERT_EQ(killed.exit_code, 1) << killed.err;
  const auto counts = read_file(folder_ / "saved/counts.bin");
  EXPECT_THAT(counts.substr(0, counts.find('\n')), HasSubstr("\"done\":"));
  const auto resumed =
      run_mugrad(to_the_end("resumed"), {.folder = folder_.path(), .environment = {}, .ranks = 2});
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "saved/counts.bin"));
  const auto fresh = run_mugrad(to_the_end("fresh", "other"),
                                {.folder = folder_.path(), .environment = {}, .ranks = 3});
  ASSERT_EQ(fresh.exit_code, 0) << fresh.err;
  EXPECT_EQ(Model::load(folder_ / "resumed").contents().thresholds,
            Model::load(folder_ / "fresh").contents().thresholds);
}

TEST_F(Checkpoint, KeepsTheRelationsThatWereLearned) {
  make_data("100");
  const auto learning = [](const std::string& model, const std::string& saved) {
    auto arguments = to_the_end(model, saved);
    arguments.insert(arguments.end(), {"--transfer", "weights", "--thresholds", "keep"});
    return arguments;
  };
  const auto killed = run_mugrad(
      learning("killed", "saved"),
      {.folder = folder_.path(), .environment = {}, .ranks = 4, .meanwhile = [this](int launcher) {
         kill_one(launcher, Victim::rank, "relations.bin");
       }});
  ASSERT_EQ(killed.exit_code, 1) << killed.err;
  const auto resumed = run_mugrad(learning("resumed", "saved"),
                                  {.folder = folder_.path(), .environment = {}, .ranks = 2});
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "saved"));
  const auto fresh = run_mugrad(learning("fresh", "other"),
                                {.folder = folder_.path(), .environment = {}, .ranks = 3});
  ASSERT_EQ(fresh.exit_code, 0) << fresh.err;
  EXPECT_EQ(Model::load(folder_ / "resumed").contents().relations,
            Model::load(folder_ / "fresh").contents().relations);
}

TEST_F(Checkpoint, IsThereWhenAWatcherWasKilledAndAllRanksEnd) {
  make_data();
  const auto killed = train_and_kill(Victim::watcher);
  EXPECT_LT(seconds_until_all_had_ended(), 10);
  EXPECT_NE(killed.exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "killed"));
  EXPECT_TRUE(has_checkpoint());
}

TEST_F(Checkpoint, OfOtherRowsWithTheSameCountsIsRefused) {
  make_data();
  train_and_kill(Victim::rank);
  ASSERT_TRUE(has_checkpoint());
  // The last value of the first row, and nothing else.
  auto text = read_file(folder_ / "data.xmc");
  const auto end = text.find('\n', text.find('\n') + 1);
  text[end - 1] = text[end - 1] == '1' ? '2' : '1';
  folder_.write("data.xmc", text);
  const auto refused =
      run_mugrad(to_the_end("model"), {.folder = folder_.path(), .environment = {}, .ranks = 2});
  EXPECT_EQ(refused.exit_code, 2) << refused.err;
  EXPECT_THAT(refused.err, HasSubstr("has a checkpoint of other data or options"));
}

TEST_F(Checkpoint, IsNotWrittenWhereTheModelIs) {
  make_data("20");
  for (const std::string name :
       {"checkpoint.json", "weights-a.bin", "weights-b.bin", "counts.bin", "relations.bin"}) {
    const auto result = run_mugrad(training("saved/" + name),
                                   {.folder = folder_.path(), .environment = {}, .ranks = 2});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("would be overwritten"));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "saved"));
  }
}

TEST_F(Checkpoint, OfOtherOptionsIsRefused) {
  make_data("10");
  std::filesystem::create_directory(folder_ / "saved");
  folder_.write("saved/checkpoint.json",
                R"({"format": "mugrad-checkpoint", "version": 3, "of": "rho=7", "generation": 0,
                    "round": 3, "first_residual": 1})");
  const auto refused =
      run_mugrad(training("model"), {.folder = folder_.path(), .environment = {}, .ranks = 2});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("has a checkpoint of other data or options"));
  EXPECT_THAT(refused.err, HasSubstr("rho=7"));
}

TEST_F(Checkpoint, ThatIsDamagedIsRefused) {
  make_data("10");
  std::filesystem::create_directory(folder_ / "saved");
  folder_.write("saved/checkpoint.json", "{");
  const auto refused =
      run_mugrad(training("model"), {.folder = folder_.path(), .environment = {}, .ranks = 2});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("checkpoint.json is damaged"));
}

}  // namespace
}  // namespace mugrad::testing

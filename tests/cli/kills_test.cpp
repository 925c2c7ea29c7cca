// SPDX-License-Identifier: MIT
// Commands that are killed, and files that change under them: what belongs together appears
// together, nothing stays behind, and no signal but the killer's ends the program.
#include "support/command_test.h"
#include "support/file_tree.h"
#include "support/killed_process.h"
#include "support/paths.h"
#include "support/sanitizers.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>

// Under a sanitizer the program takes ten times as long to start, and here it starts some thousand
// times: tests/core kills the functions that write files there, without starting it.
#ifndef MUGRAD_SANITIZED

namespace mugrad::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AnyOf;

using Arguments = std::vector<std::string>;

class Kills : public CommandTest {
 protected:
  /// Becomes the program, in the test's folder and silent.
  std::function<void()> program(const Arguments& arguments) const {
    return [this, arguments] {
      if (chdir(folder_.path().c_str()) != 0) _exit(90);
      const int nothing = open("/dev/null", O_RDWR);
      for (const int stream : {0, 1, 2}) dup2(nothing, stream);
      // It cannot look for leaks while it is traced.
      setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
      std::vector<std::string> words = {program_path()};
      words.insert(words.end(), arguments.begin(), arguments.end());
      std::vector<char*> argv;
      for (auto& word : words) argv.push_back(word.data());
      argv.push_back(nullptr);
      execv(argv[0], argv.data());
      _exit(97);
    };
  }

  /// Kills the command before each of its calls that change files, from a fresh copy of `before`
  /// in the folder "out" each time, calls check() and then runs it to its end, which must leave
  /// what it leaves undisturbed. Returns how often it was killed.
  int kill_everywhere(const Arguments& arguments, const Tree& before,
                      const std::function<void()>& check) const {
    const auto prepare = [&] {
      fs::remove_all(folder_ / "out");
      write_tree(folder_ / "out", before);
    };
    prepare();
    out_of(arguments);
    const Tree expected = tree_of(folder_ / "out");
    const auto beside = entries();
    for (int call = 1;; ++call) {
      prepare();
      const auto ending = run_and_kill(call, program(arguments));
      EXPECT_EQ(ending.exit_code, ending.was_reached ? 128 + SIGKILL : 0);
      check();
      if (HasFailure()) ADD_FAILURE() << "killed at call " << call;
      if (!ending.was_reached || HasFailure()) return call - 1;
      out_of(arguments);
      EXPECT_EQ(tree_of(folder_ / "out"), expected) << "killed at call " << call;
      EXPECT_EQ(entries(), beside) << "killed at call " << call;
    }
  }

  std::ptrdiff_t entries() const {
    return std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator());
  }
  /// What a command leaves in the folder "out".
  Tree result_of(const Arguments& arguments) const {
    fs::remove_all(folder_ / "out");
    fs::create_directory(folder_ / "out");
    out_of(arguments);
    return tree_of(folder_ / "out");
  }
};

TEST_F(Kills, SplitOverAnOlderOneLeavesAllOldOrAllNewParts) {
  make_data();
  const auto split = [](const std::string& seed) {
    return Arguments{"split", "data.arff", "-o", "out", "--seed", seed};
  };
  const Tree first = result_of(split("1"));
  const Tree second = result_of(split("2"));
  ASSERT_EQ(first.size(), 4U);
  ASSERT_NE(first, second);
  const int kills = kill_everywhere(
      split("2"), first, [&] { ASSERT_THAT(visible_in(folder_ / "out"), AnyOf(first, second)); });
  EXPECT_GT(kills, 30);
}

TEST_F(Kills, SplitIntoFoldsOverAnOlderOneLeavesAllOldOrAllNewParts) {
  make_data("data.csv");
  const auto split = [](const std::string& seed) {
    return Arguments{"split", "data.csv", "-o", "out",    "--label-count",
                     "-6",    "--folds",  "2",  "--seed", seed};
  };
  const Tree first = result_of(split("1"));
  const Tree second = result_of(split("2"));
  ASSERT_EQ(first.size(), 4U);
  kill_everywhere(split("2"), first,
                  [&] { ASSERT_THAT(visible_in(folder_ / "out"), AnyOf(first, second)); });
}

TEST_F(Kills, SplitIntoANewFolderLeavesAllPartsOrNone) {
  make_data();
  const Arguments split = {"split", "data.arff", "-o", "out/of/new"};
  const Tree whole = result_of(split);
  fs::remove_all(folder_ / "out");
  kill_everywhere(split, {}, [&] {
    ASSERT_THAT(tree_of(folder_ / "out"), AnyOf(Tree{}, whole));
    ASSERT_EQ(fs::exists(folder_ / "out"), !tree_of(folder_ / "out").empty());
  });
}

TEST_F(Kills, SplitBesideOtherFilesLeavesTheseAndNeverPartsOfTwo) {
  make_data();
  const auto split = [](const std::string& seed) {
    return Arguments{"split", "data.arff", "-o", "out", "--seed", seed};
  };
  const Tree first = result_of(split("1"));
  const Tree second = result_of(split("2"));
  Tree before = first;
  before["notes.txt"] = "mine";
  kill_everywhere(split("2"), before, [&] {
    const Tree tree = visible_in(folder_ / "out");
    ASSERT_EQ(tree.at("notes.txt"), "mine");
    const auto has_part_of = [&](const Tree& of) {
      // The label files are the same in both.
      return std::ranges::any_of(
          std::initializer_list<const char*>{"train.arff", "test.arff"},
          [&](const char* name) { return tree.contains(name) && tree.at(name) == of.at(name); });
    };
    ASSERT_FALSE(has_part_of(first) && has_part_of(second));
    // Whoever asks for a part has it, with its like.
    ASSERT_EQ(run({"info", "out/test.arff"}).exit_code, 0);
    ASSERT_EQ(run({"info", "out/train.arff"}).exit_code, 0);
    Tree now = visible_in(folder_ / "out");
    now.erase("notes.txt");
    ASSERT_THAT(now, AnyOf(first, second));
  });
}

TEST_F(Kills, ConvertedSetNeverHasTheLabelsOfAnOlderOne) {
  folder_.write("a.csv", "x,p,q\n1,0,1\n2,1,0\n3,1,1\n");
  const Tree first = result_of({"convert", "a.csv", "out/a.arff", "--label-columns", "q"});
  const Arguments again = {"convert", "a.csv", "out/a.arff", "--label-columns", "p,q"};
  const Tree second = result_of(again);
  kill_everywhere(again, first, [&] {
    const Tree tree = visible_in(folder_ / "out");
    if (tree.contains("a.arff")) {
      ASSERT_THAT(tree, AnyOf(first, second));
    }
    // And nothing is lost: it is there when it is asked for.
    ASSERT_EQ(run({"info", "out/a.arff"}).exit_code, 0);
    ASSERT_THAT(visible_in(folder_ / "out"), AnyOf(first, second));
  });
}

TEST_F(Kills, ModelIsTheOldOrTheNewOne) {
  make_data();
  const Tree first = result_of({"train", "-q", "data.arff", "-o", "out/m", "--rho", "1"});
  const Arguments again = {"train", "-q", "data.arff", "-o", "out/m", "--rho", "2"};
  const Tree second = result_of(again);
  kill_everywhere(again, first,
                  [&] { ASSERT_THAT(visible_in(folder_ / "out"), AnyOf(first, second)); });
}

TEST_F(Kills, ComparisonThatIsResumedEndsWithTheSameResults) {
  make_data();
  const auto comparison = [](const std::string& file) {
    return Arguments{"compare", "data.arff", "--methods", "mgd,br",   "--untuned", "--repeats",
                     "3",       "-o",        file,        "--resume", "--quiet"};
  };
  out_of(comparison("whole.jsonl"));
  const std::string whole = read_file(folder_ / "whole.jsonl");
  int killed = 0;
  for (int call = 1;; ++call) {
    fs::remove(folder_ / "killed.jsonl");
    const auto ending = run_and_kill(call, program(comparison("killed.jsonl")));
    if (!ending.was_reached) break;
    ++killed;
    const bool is_there = fs::exists(folder_ / "killed.jsonl");
    const std::string left = is_there ? read_file(folder_ / "killed.jsonl") : "";
    EXPECT_TRUE(whole.starts_with(left)) << "killed at call " << call;
    out_of(comparison("killed.jsonl"));
    EXPECT_EQ(read_file(folder_ / "killed.jsonl"), whole) << "killed at call " << call;
  }
  EXPECT_GT(killed, 6);  // a line of results is written by one call at least
}

TEST_F(Kills, InputThatBecomesShorterWhileItIsReadIsAnErrorAndNoSignal) {
  make_model();
  out_of({"convert", "data.arff", "data.csv"});
  out_of({"convert", "data.arff", "data.svm"});
  out_of({"convert", "data.arff", "data.xmc"});
  out_of({"info", "model", "--relations", "relations.csv"});
  out_of({"train", "data.svm", "-o", "numbered"});
  struct Case {
    Arguments arguments;
    std::string input;
  };
  const std::vector<Case> cases = {
      {{"predict", "model", "data.arff", "-o", "out"}, "data.arff"},
      {{"predict", "model", "data.csv", "--label-count", "-6", "-o", "out"}, "data.csv"},
      {{"predict", "numbered", "data.svm", "-o", "out"}, "data.svm"},
      {{"predict", "numbered", "data.xmc", "-o", "out"}, "data.xmc"},
      {{"predict", "model", "data.arff", "-o", "out"}, "model"},
      {{"info", "data.arff"}, "data.arff"},
      {{"info", "data.csv", "--label-count", "-6"}, "data.csv"},
      {{"info", "data.svm"}, "data.svm"},
      {{"info", "data.xmc"}, "data.xmc"},
      {{"info", "model"}, "model"},
      {{"certify", "data.arff", "--transfer", "relations.csv"}, "relations.csv"},
  };
  for (const auto& one : cases) {
    const auto& arguments = one.arguments;
    const auto& input = one.input;
    const std::string whole = read_file(folder_ / input);
    int errors = 0;
    // Most of the reading follows the first calls; later ones are tried now and then.
    for (int call = 1;; call += call < 16 ? 1 : 7) {
      folder_.write(input, whole);
      // Nothing of it is left on most calls, and half of it on others.
      const auto left = call % 3 == 0 ? whole.size() / 2 : 0;
      const auto ending = run_and_stop(
          call, input, [&, &file = input] { fs::resize_file(folder_ / file, left); },
          program(arguments));
      ASSERT_THAT(ending.exit_code, AnyOf(0, 1)) << arguments[0] << " " << input << " " << call;
      errors += ending.exit_code;
      if (!ending.was_reached) break;
    }
    EXPECT_GT(errors, 0) << arguments[0] << " " << input;
    folder_.write(input, whole);
  }
}

}  // namespace
}  // namespace mugrad::testing

#endif

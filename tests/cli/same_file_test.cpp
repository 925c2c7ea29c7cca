// SPDX-License-Identifier: MIT
// No command writes to a file that it reads, or writes two results to one file, whatever names and
// links lead to it: exit code 2 before any work, and nothing has changed.
#include "support/command_test.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

namespace mugrad::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::StartsWith;

using Arguments = std::vector<std::string>;

/// An option or a positional that names a file.
struct FileOption {
  std::string name;          ///< empty: a positional
  std::string value;         ///< what it is given where it is not in question
  std::string file = value;  ///< the file that it means, where that is another
};

/// A command as it runs, and all of its arguments that name files.
struct Command {
  Arguments call;                         ///< without these
  std::vector<FileOption> reads, writes;  ///< positionals in their order, those read first
};

const std::vector<Command> kCommands = {
    {{"train"},
     {{"", "data.arff"}, {"", "data.arff", "data.xml"}, {"--transfer", "relations.csv"}},
     {{"--output", "o.csv"}, {"--trace", "t.csv"}}},
    {{"train"}, {{"", "other.arff"}, {"--labels", "data.xml"}}, {{"--output", "o.csv"}}},
    {{"tune", "--rho", "1", "--sigma", "0"},
     {{"", "data.arff"}, {"", "data.arff", "data.xml"}},
     {{"--output", "o.csv"}, {"--table", "t.csv"}}},
    {{"tune", "--rho", "1", "--sigma", "0"},
     {{"", "other.arff"}, {"--labels", "data.xml"}},
     {{"--output", "o.csv"}}},
    {{"predict"},
     {{"", "model.csv"}, {"", "data.arff"}, {"", "data.arff", "data.xml"}},
     {{"--output", "o.csv"}}},
    {{"predict"},
     {{"", "model.csv"}, {"", "other.arff"}, {"--labels", "data.xml"}},
     {{"--output", "o.csv"}}},
    {{"evaluate"}, {{"", "model.csv"}, {"", "other.arff"}, {"--labels", "data.xml"}}, {}},
    {{"compare", "--methods", "br", "--untuned", "--repeats", "1"},
     {{"", "data.arff"}, {"", "data.arff", "data.xml"}},
     {{"--output", "o.csv"}}},
    {{"compare", "--methods", "br", "--untuned", "--repeats", "1"},
     {{"", "other.arff"}, {"--labels", "data.xml"}},
     {{"--output", "o.csv"}}},
    {{"study", "convergence", "--steps", "2"},
     {{"", "data.arff"}, {"", "data.arff", "data.xml"}, {"--transfer", "relations.csv"}},
     {{"--output", "o.csv"}}},
    {{"study", "convergence", "--steps", "2"},
     {{"", "other.arff"}, {"--labels", "data.xml"}},
     {{"--output", "o.csv"}}},
    {{"study", "sensitivity", "--repeats", "1"},
     {{"", "data.arff"}, {"", "data.arff", "data.xml"}, {"--transfer", "relations.csv"}},
     {{"--output", "o.csv"}}},
    {{"study", "sensitivity", "--repeats", "1"},
     {{"", "other.arff"}, {"--labels", "data.xml"}},
     {{"--output", "o.csv"}}},
    {{"report"}, {{"", "results.csv"}, {"--published", "published.csv"}}, {{"--output", "o.csv"}}},
    {{"info"}, {{"", "model.csv"}}, {{"--relations", "o.csv"}}},
    {{"info"}, {{"", "other.arff"}, {"--labels", "data.xml"}}, {}},
    {{"convert"},
     {{"", "data.arff"}, {"", "data.arff", "data.xml"}},
     {{"", "o.arff"}, {"", "o.arff", "o.xml"}}},
    {{"convert"},
     {{"", "other.arff"}, {"--labels", "data.xml"}},
     {{"", "o.arff"}, {"", "o.arff", "o.xml"}}},
    {{"generate", "--rows", "10"},
     {},
     {{"--output", "o.arff"}, {"--output", "o.arff", "o.xml"}, {"--graph", "g.csv"}}},
    {{"split"},
     {{"", "data.arff"}, {"", "data.arff", "data.xml"}},
     {{"--output", "parts", "parts/train.arff"},
      {"--output", "parts", "parts/train.xml"},
      {"--output", "parts", "parts/test.arff"},
      {"--output", "parts", "parts/test.xml"}}},
    {{"split"},
     {{"", "other.arff"}, {"--labels", "data.xml"}},
     {{"--output", "parts", "parts/train.xml"}}},
    {{"split", "--folds", "2"},
     {{"", "data.arff"}, {"", "data.arff", "data.xml"}},
     {{"--output", "folds", "folds/fold-2/test.arff"}}},
    {{"certify"},
     {{"", "other.arff"}, {"--labels", "data.xml"}, {"--transfer", "relations.csv"}},
     {}},
};

/// Options of the program's help that name files or folders and that have no part in this.
const std::set<std::string> kElsewhere = {
    "train --checkpoint",  // under mpirun alone
    "fetch --output",      // reads no file
    "tune --transfer",     // refuses files
};

class SameFile : public CommandTest {
 protected:
  void SetUp() override {
    make_data();
    fs::copy_file(folder_ / "data.arff", folder_ / "other.arff");
    out_of({"train", "data.arff", "-o", "model.csv"});
    out_of({"info", "model.csv", "--relations", "relations.csv"});
    out_of({"compare", "data.arff", "--methods", "br", "--untuned", "--repeats", "1", "-o",
            "results.csv"});
    folder_.write("published.csv", R"({"source":"s","tables":[]})");
    out_of({"split", "data.arff", "-o", "parts"});
    out_of({"split", "data.arff", "-o", "folds", "--folds", "2"});
  }

  static Arguments call_of(const Command& command) {
    Arguments call = command.call;
    std::set<std::string> given;
    for (const auto* options : {&command.reads, &command.writes}) {
      for (const auto& option : *options) {
        // A companion is named by what it belongs to.
        if (!given.insert(option.name + " " + option.value).second) continue;
        if (!option.name.empty()) call.push_back(option.name);
        call.push_back(option.value);
      }
    }
    return call;
  }

  std::map<std::string, std::string> all_files() const {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path())) {
      if (!entry.is_regular_file() || entry.is_symlink()) continue;
      files[entry.path().lexically_relative(folder_.path()).string()] = read_file(entry.path());
    }
    return files;
  }

  /// The path of the output is made a link to the other file, then the command runs.
  void expect_refusal(const Arguments& call, const std::string& other, const std::string& output,
                      bool hard) const {
    fs::remove(folder_ / output);
    fs::create_directories((folder_ / output).parent_path());
    if (hard) {
      if (!fs::exists(folder_ / other)) folder_.write(other, "");
      fs::create_hard_link(folder_ / other, folder_ / output);
    } else {
      fs::create_symlink(folder_ / other, folder_ / output);
    }
    const auto before = all_files();
    const auto result = run(call);
    const auto what = fmt::format("{}: {} is {}", fmt::join(call, " "), output, other);
    EXPECT_EQ(result.exit_code, 2) << what << "\n" << result.err;
    EXPECT_THAT(result.err, HasSubstr("would be overwritten")) << what;
    EXPECT_EQ(result.out, "") << what;
    EXPECT_TRUE(all_files() == before) << what;
    fs::remove(folder_ / output);
  }
};

TEST_F(SameFile, EveryOutputThatIsAnInputIsRefusedByEveryCommand) {
  for (const auto& command : kCommands) {
    const auto call = call_of(command);
    for (const auto& output : command.writes) {
      for (const auto& input : command.reads) {
        for (const bool hard : {false, true}) expect_refusal(call, input.file, output.file, hard);
      }
    }
  }
}

TEST_F(SameFile, TwoOutputsToOneFileAreRefusedByEveryCommand) {
  for (const auto& command : kCommands) {
    const auto call = call_of(command);
    for (const auto& first : command.writes) {
      for (const auto& second : command.writes) {
        if (first.file == second.file) continue;
        for (const bool hard : {false, true}) {
          fs::remove(folder_ / first.file);  // as a file that is not there yet, too
          expect_refusal(call, first.file, second.file, hard);
        }
      }
    }
  }
}

TEST_F(SameFile, OneNameForInputAndOutputIsRefused) {
  fs::copy_file(folder_ / "data.arff", folder_ / "train.arff");
  fs::copy_file(folder_ / "data.xml", folder_ / "train.xml");
  const auto before = all_files();
  for (const Arguments& call : std::vector<Arguments>{
           {"train", "data.arff", "--trace", "data.arff", "-o", "m"},
           {"train", "data.arff", "-o", "./data.arff"},
           {"train", "data.arff", "--transfer", "relations.csv", "-o", "relations.csv"},
           {"train", "data.arff", "--trace", "x", "-o", "x"},
           {"train", "data.arff", "--trace", "x", "-o", "parts/../x"},
           {"predict", "model.csv", "data.arff", "-o", "model.csv"},
           {"info", "model.csv", "--relations", "model.csv"},
           {"tune", "data.arff", "--rho", "1", "--sigma", "0", "--table", "x", "-o", "x"},
           {"generate", "-o", "x.arff", "--graph", "x.xml"},
           {"convert", "data.arff", "data.arff"},
           {"convert", "other.arff", "data.arff", "--labels", "data.xml"},
           {"compare", "data.arff", "--methods", "br", "--untuned", "-o", "data.arff", "--resume"},
           {"split", "train.arff", "-o", "."},
           {"report", "results.csv", "-o", "results.csv"}}) {
    const auto result = run(call);
    EXPECT_EQ(result.exit_code, 2) << fmt::format("{}", fmt::join(call, " ")) << result.err;
    EXPECT_THAT(result.err, HasSubstr("would be overwritten"));
    EXPECT_TRUE(all_files() == before) << fmt::format("{}", fmt::join(call, " "));
  }
}

TEST_F(SameFile, StandardOutputIsAnOutputToo) {
  const auto run_to = [&](const std::string& file, const Arguments& call) {
    return run_mugrad(call, {.folder = folder_.path(), .out_file = folder_ / file});
  };
  const auto before = read_file(folder_ / "data.arff");
  const auto into_input = run_to("data.arff", {"info", "data.arff"});
  EXPECT_EQ(into_input.exit_code, 2);
  EXPECT_THAT(into_input.err, HasSubstr("standard output"));
  EXPECT_EQ(read_file(folder_ / "data.arff"), before);
  EXPECT_EQ(run_to("x", {"train", "data.arff", "-o", "x"}).exit_code, 2);
  // By its own name it is what it is, and what else is printed comes behind.
  EXPECT_EQ(
      run_to("trace", {"train", "-q", "data.arff", "-o", "m", "--trace", "/dev/stdout"}).exit_code,
      0);
  EXPECT_THAT(read_file(folder_ / "trace"), StartsWith("iteration,"));
  EXPECT_THAT(read_file(folder_ / "trace"), HasSubstr("m: 6 labels"));
}

TEST_F(SameFile, DevicesMayBeNamedTwice) {
  EXPECT_EQ(run({"train", "data.arff", "--trace", "/dev/null", "-o", "/dev/null"}).exit_code, 0);
}

/// The arguments of a command that its help says name a file or a folder.
std::set<std::string> file_options_in(const std::string& help) {
  std::set<std::string> names;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name, type;
    words >> name >> type;
    const bool is_file = type == "FILE" || type == "DIR" ||
                         line.find("or a file with a matrix") != std::string::npos;
    if (!line.starts_with("  ") || !is_file || !name.starts_with('-')) continue;
    names.insert(name.substr(name.rfind(',') + 1));
  }
  return names;
}

TEST_F(SameFile, EveryOptionOfTheHelpThatNamesAFileIsTriedHere) {
  const auto has = [](const std::string& command, const std::string& option) {
    return std::ranges::any_of(kCommands, [&](const Command& known) {
      const auto names = [&](const FileOption& file) { return file.name == option; };
      return fmt::format("{}", fmt::join(known.call, " ")).starts_with(command) &&
             (std::ranges::any_of(known.reads, names) || std::ranges::any_of(known.writes, names));
    });
  };
  int options = 0;
  for (auto call : commands()) {
    const auto command = fmt::format("{}", fmt::join(call, " "));
    call.emplace_back("--help");
    for (const auto& option : file_options_in(out_of(call))) {
      ++options;
      EXPECT_TRUE(has(command, option) || kElsewhere.contains(command + " " + option))
          << command << " has " << option
          << ": say in kCommands what it reads or writes, and call session.files in the command";
    }
  }
  EXPECT_GT(options, 20);
}

}  // namespace
}  // namespace mugrad::testing

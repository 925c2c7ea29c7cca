// SPDX-License-Identifier: MIT
// Rows of a pipe are predicted as they come.
#include "support/command_test.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>

namespace mugrad::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// A pipe of which each end can be closed by itself, and which the program does not inherit.
class TwoEnds {
 public:
  TwoEnds() { EXPECT_EQ(pipe2(ends_.data(), O_CLOEXEC), 0); }
  ~TwoEnds() {
    close(ends_[0]);
    end_writing();
  }
  TwoEnds(const TwoEnds&) = delete;
  TwoEnds& operator=(const TwoEnds&) = delete;

  int reader() const { return ends_[0]; }
  int writer() const { return ends_[1]; }
  void write(const std::string& text) const {
    EXPECT_EQ(::write(ends_[1], text.data(), text.size()), std::ssize(text));
  }
  void end_writing() {
    if (ends_[1] != -1) close(ends_[1]);
    ends_[1] = -1;
  }
  /// Waits for so many lines. Much longer than the program needs, a wait is a failure.
  std::string read_lines(int count) const {
    constexpr int kMilliseconds = 120'000;
    std::string text;
    while (std::ranges::count(text, '\n') < count) {
      pollfd ready{.fd = ends_[0], .events = POLLIN, .revents = 0};
      char c = 0;
      if (poll(&ready, 1, kMilliseconds) != 1 || read(ends_[0], &c, 1) != 1) {
        ADD_FAILURE() << "only came: " << text;
        return text;
      }
      text += c;
    }
    return text;
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

class LiveInput : public CommandTest {
 protected:
  void SetUp() override {
    std::string table = "age,plan,about,a,b\n";
    std::string lines;
    for (int i = 0; i < 40; ++i) {
      const int a = i % 2, b = i % 3 == 0 ? 1 : 0;
      const std::string plan = b == 1 ? "pro" : "free", about = a == 1 ? "refund" : "login again";
      table += fmt::format("{},{},please {} {},{},{}\n", i, plan, about, i % 7, a, b);
      lines += fmt::format("{{\"age\":{},\"plan\":\"{}\",\"about\":\"please {} {}\"}}\n", i, plan,
                           about, i % 7);
    }
    folder_.write("t.csv", table);
    folder_.write("t.jsonl", lines);
    out_of({"train", "t.csv", "--label-columns", "a,b", "--text", "about", "-o", "model"});
    std::filesystem::create_directory(folder_ / "temporary");
  }

  /// Gives the parts to `predict -`, each once `lines` lines were written for the one before, and
  /// returns all that was written.
  std::string predicted(const std::vector<std::string>& parts, const std::vector<int>& lines) {
    TwoEnds in, out;
    std::string text;
    result_ = run_mugrad({"predict", "model", "-"},
                         {.folder = folder_.path(),
                          // A temporary file cannot be made there.
                          .environment = {{"MUGRAD_DATA", ""}, {"TMPDIR", folder_ / "nowhere"}},
                          .meanwhile =
                              [&](int) {
                                for (std::size_t k = 0; k < parts.size(); ++k) {
                                  in.write(parts[k]);
                                  text += out.read_lines(lines[k]);
                                }
                                in.end_writing();
                              },
                          .prepare =
                              [&] {
                                dup2(in.reader(), 0);
                                dup2(out.writer(), 1);
                              }});
    out.end_writing();
    char c = 0;
    while (read(out.reader(), &c, 1) == 1) text += c;
    return text;
  }
  /// What is predicted for the file.
  std::string expected(const std::string& name) const {
    return out_of({"predict", "model", name, "-q"});
  }

  ProgramResult result_;
};

TEST_F(LiveInput, EachRowOfJsonLinesIsPredictedBeforeTheNextComes) {
  const std::vector<std::string> parts = {
      "{\"age\":3,\"plan\":\"pro\",\"about\":\"please refund 3\"}\n",
      "\n{\"about\":\"please login again 1\"}\n{\"plan\":null,\"new\":1}\n{\"age\":",
      "5,\"plan\":\"other\"}\n"};
  folder_.write("same.jsonl", parts[0] + parts[1] + parts[2]);
  EXPECT_EQ(predicted(parts, {2, 2, 1}), expected("same.jsonl"));
  EXPECT_EQ(result_.exit_code, 0) << result_.err;
  EXPECT_THAT(result_.err, HasSubstr("ignored 1 of standard input's columns that the model does "
                                     "not use: 'new'"));
}

TEST_F(LiveInput, EachRowOfCsvIsPredictedBeforeTheNextComes) {
  const std::vector<std::string> parts = {"plan,about,age\n",
                                          "pro,\"please\nrefund \"\"3\"\"\",3\n\n",
                                          "free,\"please\n", "login again\",NA\nfree,", ",7"};
  std::string whole;
  for (const auto& part : parts) whole += part;
  folder_.write("same.csv", whole);
  EXPECT_EQ(predicted(parts, {0, 2, 0, 1, 0}), expected("same.csv"));
  EXPECT_EQ(result_.exit_code, 0) << result_.err;
}

TEST_F(LiveInput, PredictionsAreThoseOfTheFileHoweverItIsCut) {
  for (const std::string name : {"t.jsonl", "t.csv"}) {
    const auto text = read_file(folder_ / name);
    const auto wanted = expected(name);
    for (const std::size_t size : {std::size_t{7}, std::size_t{100}, text.size()}) {
      std::vector<std::string> parts;
      for (std::size_t at = 0; at < text.size(); at += size) parts.push_back(text.substr(at, size));
      EXPECT_EQ(predicted(parts, std::vector<int>(parts.size(), 0)), wanted) << name;
    }
  }
}

TEST_F(LiveInput, ErrorsNameTheLine) {
  const auto text = predicted({"{\"age\":3}\n", "{\"age\":[[1]]}\n"}, {2, 0});
  EXPECT_EQ(result_.exit_code, 1);
  EXPECT_THAT(text, StartsWith("row,labels\n1,"));
  EXPECT_THAT(result_.err, HasSubstr("standard input:2:8: 'age' has a list of objects or lists"));
  predicted({"plan,about,age\n", "pro,x,1\n", "pro,x\n"}, {0, 2, 0});
  EXPECT_THAT(result_.err, HasSubstr("standard input:3:1: this row has 2 values"));
  predicted({"plan,about,age\npro,x,1\n", std::string("pro,\0,1\n", 8)}, {2, 0});
  EXPECT_THAT(result_.err, HasSubstr("standard input:3:5: byte 0x00 does not occur in text"));
}

TEST_F(LiveInput, RecordsWithoutAColumnOfTheModelAreRefusedLikeTheFile) {
  folder_.write("other.jsonl", "{\"x\":1}\n{\"y\":1}\n");
  EXPECT_EQ(predicted({"{\"x\":1}\n", "{\"y\":1}\n"}, {0, 0}), "");
  EXPECT_EQ(result_.exit_code, 1);
  const auto of_file = run({"predict", "model", "other.jsonl"}).err;
  EXPECT_EQ(result_.err.substr(result_.err.find("lacks")), of_file.substr(of_file.find("lacks")));
}

}  // namespace
}  // namespace mugrad::testing

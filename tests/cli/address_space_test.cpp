// SPDX-License-Identifier: MIT
// Under any limit of the address space a command does its work, or says that it could not.
#include "support/command_test.h"
#include "support/sanitizers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <algorithm>

// The sanitizers need more address space than any limit.
#ifndef MUGRAD_SANITIZED

namespace mugrad::testing {
namespace {

using ::testing::EndsWith;
using ::testing::StartsWith;

constexpr std::size_t kMegabyte = 1'000'000;

class AddressSpace : public CommandTest {
 protected:
  ProgramResult run_within(std::size_t limit, const std::vector<std::string>& arguments) const {
    return run_mugrad(
        arguments,
        {.folder = folder_.path(), .environment = {{"MUGRAD_DATA", ""}}, .largest_memory = limit});
  }
  /// Whether it worked.
  bool check(std::size_t limit, const std::vector<std::string>& arguments) const {
    const auto result = run_within(limit, arguments);
    SCOPED_TRACE(fmt::format("{} within {} MB: {}", fmt::join(arguments, " "), limit / kMegabyte,
                             result.err));
    if (result.exit_code == 0) return true;
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, StartsWith("mugrad: "));
    EXPECT_THAT(result.err, EndsWith("\n"));
    return false;
  }
};

TEST_F(AddressSpace, OfTwoHundredMegabytesIsEnoughToSayTheVersion) {
  const auto result = run_within(200 * 1024 * 1000, {"--version"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("mugrad "));
}

TEST_F(AddressSpace, OfAnySizeEndsNoCommandButWithAMessage) {
  make_model();
  out_of({"convert", "data.arff", "data.svm"});
  out_of({"compare", "data.arff", "--methods", "br", "--repeats", "2", "--inner-folds", "2", "-o",
          "results.jsonl"});
  const std::vector<std::vector<std::string>> commands = {
      {"--help"},
      {"methods"},
      {"generate", "-o", "g.arff", "--rows", "50"},
      {"info", "data.arff"},
      {"info", "model"},
      {"convert", "data.arff", "c.csv"},
      {"split", "data.arff", "-o", "s"},
      {"certify", "data.svm"},
      {"train", "data.arff", "-o", "m", "--threads", "4"},
      {"train", "data.svm", "-o", "m", "--threads", "4"},
      {"train", "data.arff", "-o", "m", "--method", "lift", "--threads", "4"},
      {"train", "data.arff", "-o", "m", "--method", "camel", "--threads", "4"},
      {"train", "data.arff", "-o", "m", "--method", "llsf", "--threads", "4"},
      {"tune", "data.arff", "--rho", "0.1,1", "--sigma", "0.1", "--threads", "4"},
      {"predict", "model", "parts/test.arff", "-o", "p.csv"},
      {"evaluate", "model", "parts/test.arff"},
      {"study", "convergence", "data.arff", "-o", "study.json"},
      {"report", "results.jsonl", "-o", "r.html"}};
  // Below that there is no room for the program and the libraries it links.
  std::size_t least = 20 * kMegabyte;
  while (run_within(least, {"--version"}).exit_code != 0) {
    ASSERT_LT(least, 150 * kMegabyte);
    least += kMegabyte;
  }
  for (const auto& arguments : commands) {
    bool works = false;
    for (std::size_t limit = least; limit < 1500 * kMegabyte; limit += limit / 5) {
      works = check(limit, arguments);
    }
    EXPECT_TRUE(works) << fmt::format("{}", fmt::join(arguments, " "));
  }
}

}  // namespace
}  // namespace mugrad::testing

#endif

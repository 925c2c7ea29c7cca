// SPDX-License-Identifier: MIT
// Runs the committed inputs through the functions that libFuzzer attacks, without libFuzzer: the
// seeds, and the inputs that once did harm.
#include "fuzz/support.h"
#include "fuzz/targets.h"
#include "support/sanitizers.h"

#include <mugrad/data/files.h>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <vector>

namespace mugrad::fuzz {

void PrintTo(const Target& target, std::ostream* out) { *out << target.name; }

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  if (!fs::exists(folder)) return files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

class FuzzInputs : public ::testing::TestWithParam<Target> {
 protected:
  /// An input that asks for too much memory is refused that, instead of taking it from everyone.
  static void SetUpTestSuite() {
#ifndef MUGRAD_SANITIZED
    constexpr rlim_t kMost = rlim_t{4} << 30U;
    const rlimit limit{.rlim_cur = kMost, .rlim_max = kMost};
    ASSERT_EQ(setrlimit(RLIMIT_AS, &limit), 0);
#endif
  }
  static void run_all(const fs::path& folder) {
    for (const auto& file : files_in(folder)) {
      SCOPED_TRACE(file.string());
      EXPECT_NO_THROW(GetParam().run(bytes_of(file)));
    }
  }
};

TEST_P(FuzzInputs, EverySeedIsReadOrRefused) {
  const auto folder = fs::path(MUGRAD_FUZZ_INPUTS) / "seeds" / GetParam().name;
  ASSERT_FALSE(files_in(folder).empty()) << folder << " holds no seeds";
  run_all(folder);
}

TEST_P(FuzzInputs, WhatOnceDidHarmIsReadOrRefused) {
  run_all(fs::path(MUGRAD_FUZZ_INPUTS) / "found" / GetParam().name);
}

TEST(FuzzTargets, HaveEveryFileFormat) {
  for (const FormatInfo& format : file_formats()) {
    EXPECT_NE(std::ranges::find(kTargets, format.name, &Target::name), kTargets.end())
        << "tests/fuzz/targets.h has no target " << format.name;
  }
}

TEST(FuzzTargets, AreInTheReportOnReliability) {
  const std::string report = bytes_of(fs::path(MUGRAD_FUZZ_INPUTS) / "../../docs/reliability.md");
  for (const Target& target : kTargets) {
    const std::string name = std::string("`").append(target.name).append("`");
    EXPECT_NE(report.find(name), report.npos) << "docs/reliability.md lacks " << name;
  }
}

INSTANTIATE_TEST_SUITE_P(, FuzzInputs, ::testing::ValuesIn(kTargets),
                         [](const auto& target) { return std::string(target.param.name); });

}  // namespace
}  // namespace mugrad::fuzz

// SPDX-License-Identifier: MIT
// Long work on data updates its progress often enough: counted, not timed.
#include "support/compressed.h"
#include "support/random_problem.h"
#include "support/temporary_folder.h"

#include <mugrad/core/error.h>
#include <mugrad/data/files.h>
#include <mugrad/data/generator.h>
#include <mugrad/data/splits.h>

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <tuple>

namespace mugrad {
namespace {

using testing::TemporaryFolder;
using Work = std::function<void(Progress*)>;

/// Updates its progress at least so often, in the same number of steps each time, by shares in
/// [0, 1] that never fall, and ends where it is told to.
void expect_updates(const Work& work, Index least, const std::string& what) {
  Index calls = 0;
  double last_share = 0;
  ProgressFunction patient([&](double share) {
    EXPECT_TRUE(share >= last_share && share <= 1) << what << ": " << share;
    last_share = share;
    ++calls;
    return true;
  });
  work(&patient);
  EXPECT_GE(calls, least) << what;
  for (const Index last : {Index{1}, (calls + 1) / 2, calls}) {
    Index made = 0;
    ProgressFunction impatient([&](double) { return ++made < last; });
    EXPECT_THROW(work(&impatient), InterruptedError) << what;
    EXPECT_EQ(made, last) << what << " went on after it was stopped";
  }
}

constexpr double kMebibyte = 1 << 20;

Dataset some_data() {
  // Labels first and last, so that no format loses columns.
  return generate({.rows = 4000, .features = 60, .labels = 5, .cardinality = 2}).data;
}

TEST(DataProgress, ReadingIsUpdatedForEveryMebibyteOfAFile) {
  const TemporaryFolder folder;
  const Dataset data = some_data();
  for (const FormatInfo& info : file_formats()) {
    const std::string name = "data" + std::string(info.endings.front());
    const auto path = folder / name;
    write_dataset(data, path);
    const auto least =
        static_cast<Index>(static_cast<double>(std::filesystem::file_size(path)) / kMebibyte);
    ASSERT_GE(least, 3);
    const ReadOptions options{.label_count =
                                  info.declares_labels ? std::nullopt : std::optional<Index>(-5)};
    expect_updates(
        [&](Progress* progress) {
          ReadOptions watched = options;
          watched.progress = progress;
          std::ignore = read_dataset(path, watched);
        },
        least, name);
    expect_updates(
        [&](Progress* progress) {
          ReadOptions watched = options;
          watched.progress = progress;
          BlockReader reader(path, watched);
          Dataset block;
          while (reader.next(block)) continue;
        },
        least, name);
    expect_updates(
        [&](Progress* progress) {
          ReadOptions watched = options;
          watched.progress = progress;
          BlockReader reader(path, watched);
          while (reader.skip()) continue;
        },
        least, name);
  }
}

TEST(DataProgress, DecompressingIsTheFirstHalfOfReading) {
  const TemporaryFolder folder;
  write_dataset(some_data(), folder / "data.csv");
  const std::string content = testing::read_file(folder / "data.csv");
  const auto path = folder.write("data.csv.gz", testing::gzip(content));
  const auto mebibytes = static_cast<Index>(static_cast<double>(content.size()) / kMebibyte);
  ASSERT_GE(mebibytes, 3);
  Index decompressing = 0, reading = 0;
  const Work read = [&](Progress* progress) {
    ProgressFunction counted([&](double share) {
      ++(share <= 0.5 ? decompressing : reading);
      return progress->update(share);
    });
    std::ignore = read_dataset(path, {.label_count = -5, .progress = &counted});
  };
  expect_updates(read, 2 * mebibytes, "data.csv.gz");
  EXPECT_GE(decompressing, mebibytes);
  EXPECT_GE(reading, mebibytes);
}

TEST(DataProgress, WritingIsUpdatedForEveryMebibyteAndLeavesNothingWhenStopped) {
  const Dataset data = some_data();
  for (const FormatInfo& info : file_formats()) {
    const std::string name = "data" + std::string(info.endings.front());
    const TemporaryFolder folder;
    const auto path = folder / name;
    write_dataset(data, path);
    const auto least =
        static_cast<Index>(static_cast<double>(std::filesystem::file_size(path)) / kMebibyte) - 1;
    const TemporaryFolder empty;
    expect_updates(
        [&](Progress* progress) {
          try {
            write_dataset(data, empty / name, std::nullopt, progress);
            std::filesystem::remove_all(empty.path());
            std::filesystem::create_directory(empty.path());
          } catch (const InterruptedError&) {
            EXPECT_TRUE(std::filesystem::is_empty(empty.path())) << name;
            throw;
          }
        },
        least, name);
  }
}

TEST(DataProgress, GeneratingIsUpdatedForEveryMillionNumbers) {
  for (const double density : {1.0, 0.2}) {
    const GeneratorOptions options{
        .rows = 20'000, .features = 200, .labels = 40, .density = density};
    const auto features = static_cast<double>(options.rows * options.features) * density;
    const auto noise = static_cast<double>(options.rows * options.labels);
    expect_updates([&](Progress* progress) { std::ignore = generate(options, progress); },
                   static_cast<Index>((features + noise) / kMebibyte), "generate");
  }
}

TEST(DataProgress, PairsOfOneLargeGroupAreListedWithThem) {
  const GeneratorOptions options{.rows = 2, .features = 1, .labels = 3000, .group_size = 3000};
  expect_updates([&](Progress* progress) { std::ignore = generate(options, progress); }, 4,
                 "pairs");
}

TEST(DataProgress, StratificationIsUpdatedByRowsTimesParts) {
  const auto labels = some_data().y;
  const auto parts = static_cast<double>(labels.rows()) * 1000;
  const Work k_fold = [&](Progress* progress) {
    std::ignore = stratified_k_fold_rows(labels, 1000, 1, progress);
  };
  expect_updates(k_fold, static_cast<Index>(parts / kMebibyte), "stratified folds");
  const Work planned = [&](Progress* progress) {
    PlannedSplits splits(labels, {.folds = 1000, .stratified = true});
    std::ignore = splits.at(0, progress);
  };
  expect_updates(planned, static_cast<Index>(parts / kMebibyte), "planned folds");
}

TEST(DataProgress, FillingInMissingValuesLetsNoShareFall) {
  const TemporaryFolder folder;
  std::string text = "age,opened,y\n";
  for (int i = 0; i < 60'000; ++i) {
    text += i % 7 == 0 ? "NA,2026-11-18 12:30,1\n" : i % 5 == 0 ? "30,,0\n" : "41,2026-11-20,1\n";
  }
  const auto path = folder.write("data.csv", text);
  const auto read = [&](Progress* progress) {
    ReadOptions options{.label_columns = {"y"}, .progress = progress};
    EXPECT_EQ(read_dataset(path, options).features(), 7);
  };
  expect_updates(read, 2, "reading missing values");
}

}  // namespace
}  // namespace mugrad

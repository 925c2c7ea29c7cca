// SPDX-License-Identifier: MIT
#include "core/atomic_file.h"
#include "mpi/the_world.h"

#include <mugrad/core/error.h>
#include <mugrad/data/generator.h>
#include <mugrad/mpi/train.h>

#include <gtest/gtest.h>

namespace mugrad::mpi {
namespace {

using testing::SharedFolder;
using testing::the_world;

/// Lets so many iterates pass, then asks to stop.
class Impatient final : public Progress {
 public:
  explicit Impatient(Index last) : last_(last) {}
  bool update(double) override { return told_++ < last_; }
  Index told() const noexcept { return told_; }

 private:
  Index last_;
  Index told_ = 0;
};

TEST(TrainingOnRanks, EndsOnAllOfThemWhenTheProgressOfTheFirstAsksForIt) {
  const SharedFolder folder;
  const auto data = folder / "data.xmc";
  if (the_world()->is_first()) {
    write_dataset(generate({.rows = 200, .features = 6, .labels = 20}).data, data);
  }
  MPI_Barrier(testing::all_ranks().handle());
  const auto choose = [](const Dataset&) { return MgdOptions{.tolerance = 1e-12}; };
  for (const int row_shards : {1, the_world()->size()}) {
    for (const Index last : {0, 2}) {
      Impatient progress(last);
      EXPECT_THROW(train(*the_world(), data, {}, choose, {}, {.row_shards = row_shards},
                         folder / "model", &progress),
                   InterruptedError);
      // Others hear of it with the residual of the next round.
      EXPECT_EQ(progress.told(), the_world()->is_first() ? last + 2 : 0);
    }
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "model"));
}

TEST(TrainingOnRanks, SaysOfSharedRowsWithoutLabelsWhatOneProcessDoes) {
  const SharedFolder folder;
  const auto data = folder / "data.arff";
  if (the_world()->is_first()) {
    std::string text = "@relation nothing\n@attribute a numeric\n@attribute b {0,1}\n@data\n";
    for (int row = 0; row < 400; ++row) text += "1,0\n";
    AtomicFile file(data);
    file.write(text);
    file.commit();
  }
  MPI_Barrier(testing::all_ranks().handle());
  std::string alone, shared;
  try {
    read_dataset(data);
  } catch (const InputError& error) {
    alone = error.what();
  }
  try {
    train(
        *the_world(), data, {}, [](const Dataset&) { return MgdOptions{}; }, {},
        {.row_shards = the_world()->size()}, folder / "model", nullptr);
  } catch (const InputError& error) {
    shared = error.what();
  }
  EXPECT_NE(alone, "");
  EXPECT_EQ(shared, alone);
}

}  // namespace
}  // namespace mugrad::mpi

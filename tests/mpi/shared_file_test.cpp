// SPDX-License-Identifier: MIT
#include "mpi/shared_file.h"

#include "mpi/the_world.h"

#include <mugrad/core/error.h>

#include <gtest/gtest.h>

#include <iterator>
#include <stdexcept>
#include <string>

namespace mugrad::mpi {
namespace {

using testing::all_ranks;
using testing::read_file;
using testing::SharedFolder;

/// Each rank writes its number, the last first.
void write(SharedFile& file) {
  const int ranks = all_ranks().size();
  file.write_at(ranks - 1 - all_ranks().rank(), std::to_string(all_ranks().rank()));
}
std::string expected_text() {
  std::string text;
  for (int r = all_ranks().size() - 1; r >= 0; --r) text += std::to_string(r);
  return text;
}
Index entries_of(const std::filesystem::path& folder) {
  return std::distance(std::filesystem::directory_iterator(folder), {});
}
/// All ranks have come here.
void meet() { MPI_Barrier(all_ranks().handle()); }

TEST(SharedFile, AppearsWhenAllHaveWrittenTheirParts) {
  const SharedFolder folder;
  SharedFile file(all_ranks(), folder / "file");
  write(file);
  EXPECT_FALSE(std::filesystem::exists(folder / "file"));
  file.commit();
  EXPECT_EQ(read_file(folder / "file"), expected_text());
  EXPECT_EQ(entries_of(folder.path()), 1);
}

TEST(SharedFile, LeavesALinkAndReplacesWhatItPointsTo) {
  const SharedFolder folder;
  if (all_ranks().is_first()) {
    std::filesystem::create_directory(folder / "elsewhere");
    std::filesystem::create_symlink("elsewhere/file", folder / "link");
  }
  meet();
  SharedFile file(all_ranks(), folder / "link");
  write(file);
  file.commit();
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(read_file(folder / "elsewhere/file"), expected_text());
  EXPECT_EQ(entries_of(folder / "elsewhere"), 1);
}

TEST(SharedFile, LeavesNothingBehindWhenItIsGivenUp) {
  const SharedFolder folder;
  try {
    SharedFile file(all_ranks(), folder / "file");
    write(file);
    throw std::runtime_error("something else went wrong");
  } catch (const std::runtime_error&) {
  }
  meet();
  EXPECT_EQ(entries_of(folder.path()), 0);
}

TEST(SharedFile, OfTwoJobsAtOnceIsThatOfTheLater) {
  const SharedFolder folder;
  SharedFile first(all_ranks(), folder / "file");
  SharedFile second(all_ranks(), folder / "file");
  first.write_at(100, "more than the second has");
  write(second);
  first.commit();
  second.commit();
  EXPECT_EQ(read_file(folder / "file"), expected_text());
}

TEST(SharedFile, ThatCannotBeMadeFailsOnEveryRank) {
  const SharedFolder folder;
  EXPECT_THROW(SharedFile(all_ranks(), folder / "no/such/folder/file"), InputError);
  EXPECT_THROW(SharedFile(all_ranks(), folder.path()), InputError);
  EXPECT_THROW(SharedFile(all_ranks(), "/dev/null"), InputError);
}

}  // namespace
}  // namespace mugrad::mpi

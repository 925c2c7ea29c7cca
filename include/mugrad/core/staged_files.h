// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>

namespace mugrad {

/// Whom a folder belongs to that files are put into.
enum class FolderUse {
  shared,   ///< it has other files, too
  for_set,  ///< it is there for these files: where it has no others it may be replaced as a whole
};

/// Files that appear in a folder together or not at all, and replace those of their names together.
///
/// They are written to a hidden folder first. Where the target folder is not there yet, or is for
/// the set and has nothing but files that are replaced, commit() puts the hidden folder in its
/// place in one step. Elsewhere that cannot be one step: commit() then takes away all that is
/// replaced, last to first, before it names the new files, first to last, so that there are never
/// files of both; and what a kill leaves undone is done by the next process that writes to the
/// folder, or that misses one of the files. Without commit() nothing is left behind; what a killed
/// process has left is removed by the next.
class StagedFiles {
 public:
  /// The folder is made when the files appear, if it is not there. Throws InputError when it cannot
  /// be written to.
  explicit StagedFiles(const std::filesystem::path& folder, FolderUse use);
  ~StagedFiles();
  StagedFiles(const StagedFiles&) = delete;
  StagedFiles& operator=(const StagedFiles&) = delete;

  /// Where to write the file that is to appear as `name`, which is relative to the folder and may
  /// have folders in it; where nothing is written there until commit(), the file of that name goes
  /// away when the others appear. Whoever writes it must sync it, as AtomicFile does. Throws
  /// InputError when a folder has the name.
  std::filesystem::path add(const std::filesystem::path& name);
  /// Makes the files appear. Throws InputError.
  void commit();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mugrad

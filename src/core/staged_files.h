// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace mugrad {

/// Who else uses the target folder.
enum class FolderUse {
  shared,   ///< it also has other files
  for_set,  ///< it exists for these files; if it has no others, it may be replaced as a whole
};

/// Files that appear in a folder together or not at all, and replace files of the same names
/// together.
///
/// They are written to a hidden folder first. If the target folder does not exist, or is for the
/// set and contains only files that are replaced, commit() puts the hidden folder in its place in
/// one step. Otherwise several steps are needed: commit() removes all replaced files, last to
/// first, before it names the new ones, first to last, so that old and new files never coexist. If
/// it is killed, the next process that writes to the folder or misses one of the files finishes the
/// work. Without commit() nothing is left behind; leftovers of a killed process are removed by the
/// next.
class StagedFiles {
 public:
  /// The folder is created when the files appear, if it does not exist. Throws InputError if it is
  /// not writable.
  explicit StagedFiles(const std::filesystem::path& folder, FolderUse use);
  ~StagedFiles();
  StagedFiles(const StagedFiles&) = delete;
  StagedFiles& operator=(const StagedFiles&) = delete;

  /// Returns where to write the file that will appear as `name`, which is relative to the folder
  /// and may include folders. If nothing is written there before commit(), an existing file of that
  /// name is removed when the others appear. The writer must sync the file, as AtomicFile does.
  /// Throws InputError if `name` is a folder.
  std::filesystem::path add(const std::filesystem::path& name);
  /// Makes the files appear. Throws InputError.
  void commit();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A file's name in a folder, and its content.
struct FileContent {
  std::filesystem::path name = {};
  std::string content = {};
};

/// Writes files into a folder, which is created with its parents if missing. All are written before
/// the first appears, and each appears completely (AtomicFile). Removes folders that it created and
/// that end up empty: a failure leaves no folder, and a call without files only checks that the
/// folder can be created. Throws InputError.
void write_files(const std::filesystem::path& folder, std::span<const FileContent> files);

}  // namespace mugrad

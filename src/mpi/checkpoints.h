// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/communicator.h"
#include "mpi/rounds.h"

#include <mugrad/linalg/matrix.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad::mpi {

/// A small result of finished work.
struct KeptResult {
  Index done = 0;     ///< how much work it stands for, as given to `keep`
  std::string bytes;  ///< on the first rank only
};

/// The folder with the checkpoint of a run. A run is one or several solves, one after the other:
/// the folder has the weights of the current one (Checkpoints) and the results of earlier ones that
/// the rest needs.
class CheckpointFolder {
 public:
  /// `fingerprint` identifies the data and options of the run. Creates the folder if missing. Every
  /// rank must call it, as for the rest. `grid` must outlive it. Throws UsageError if the folder
  /// has a checkpoint of other data or options, InputError if it cannot be read.
  CheckpointFolder(const Grid& grid, std::filesystem::path folder, std::string fingerprint,
                   double seconds);

  /// Which results can be kept, one of each.
  enum class Kept { counts, relations };
  /// Writes a result of `stage`; `bytes` is used from the first rank.
  void keep(Kept what, std::string_view stage, Index done, std::string_view bytes) const;
  /// The last kept result, if it is of this stage.
  std::optional<KeptResult> kept(Kept what, std::string_view stage) const;

  /// Removes the files after a successful run, and the folder if it was created for them.
  void remove() const;

 private:
  template <class Real>
  friend class Checkpoints;

  const std::filesystem::path& manifest() const { return files_[0]; }
  const std::filesystem::path& weights_file(int generation) const {
    return files_[generation == 0 ? 1 : 2];
  }
  const std::filesystem::path& kept_file(Kept what) const {
    return files_[what == Kept::counts ? 3 : 4];
  }
  /// The contents of a file, on all ranks; empty if there is none.
  std::string shared_text(const std::filesystem::path& file) const;

  const Grid& grid_;
  std::filesystem::path folder_;
  std::vector<std::filesystem::path> files_;
  bool made_folder_ = false;  ///< by this run, or by the one that it resumes
  std::string fingerprint_;
  std::chrono::duration<double> every_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  int next_ = 0;  ///< the generation to write
};

/// Checkpoints of one solve: the weights of all labels in one of two alternating files, and
/// checkpoint.json, written last, which names the complete one and the stage of the run. It does
/// not matter which rank wrote which label: any number of ranks can resume from a checkpoint.
template <class Real>
class Checkpoints {
 public:
  /// The stage has `labels` labels, of which this rank has `own`. Both `folder` and `own` must
  /// outlive it.
  Checkpoints(CheckpointFolder& folder, std::string stage, Index labels,
              std::span<const LabelId> own)
      : folder_(folder), stage_(std::move(stage)), labels_(labels), own_(own) {}

  /// Reads this rank's weights from the last complete checkpoint; returns none if there is none of
  /// this stage. Every rank must call it. Throws InputError if it cannot be read.
  std::optional<Resumption> load(Matrix<Real>& weights);
  /// Writes a checkpoint. Every rank with the first rows must call it. Throws InputError.
  void write(const Resumption& state, const Matrix<Real>& weights);
  /// Whether the time for the next checkpoint has come.
  bool is_due() const { return std::chrono::steady_clock::now() - folder_.last_ >= folder_.every_; }

 private:
  CheckpointFolder& folder_;
  std::string stage_;
  Index labels_;
  std::span<const LabelId> own_;
};

}  // namespace mugrad::mpi

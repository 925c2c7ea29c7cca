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
#include <vector>

namespace mugrad::mpi {

/// Checkpoints of a run in a folder: the weights of all labels in one of two alternating files, and
/// checkpoint.json, written last, which names the complete one. It does not matter which rank wrote
/// which label: any number of ranks can resume from a checkpoint.
template <class Real>
class Checkpoints {
 public:
  /// `fingerprint` identifies the run, which has `labels` labels; this rank has `own`. Creates the
  /// folder if missing. `grid` and `own` must outlive it. Every rank must call it.
  Checkpoints(const Grid& grid, std::filesystem::path folder, std::string fingerprint, Index labels,
              std::span<const LabelId> own, double seconds);

  /// Reads this rank's weights from the last complete checkpoint; returns none if there is none.
  /// Every rank must call it. Throws UsageError if it belongs to other data or options, InputError
  /// if it cannot be read.
  std::optional<Resumption> load(Matrix<Real>& weights);
  /// Writes a checkpoint. Every rank with the first rows must call it. Throws InputError.
  void write(const Resumption& state, const Matrix<Real>& weights);
  /// Whether the time for the next checkpoint has come.
  bool is_due() const { return std::chrono::steady_clock::now() - last_ >= every_; }
  /// Removes the files after a successful run, and the folder if it was created for them.
  void remove();

 private:
  const std::filesystem::path& manifest() const { return files_[0]; }
  const std::filesystem::path& weights_file(int generation) const {
    return files_[generation == 0 ? 1 : 2];
  }

  const Grid& grid_;
  std::filesystem::path folder_;
  std::vector<std::filesystem::path> files_;
  bool made_folder_ = false;  ///< by this run, or by the one that it resumes
  std::string fingerprint_;
  Index labels_;
  std::span<const LabelId> own_;
  std::chrono::duration<double> every_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  int next_ = 0;  ///< the generation to write
};

}  // namespace mugrad::mpi

// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/grid.h"
#include "mpi/rounds.h"

#include <mugrad/linalg/matrix.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mugrad::mpi {

/// Checkpoints of a run in a folder: the weights of all labels, label after label, in one of two
/// files that take turns, and checkpoint.json, written last, which says which of them is complete.
/// Which rank wrote which label does not matter: any number of ranks can go on from there.
template <class Real>
class Checkpoints {
 public:
  /// `fingerprint` tells the run from others, of `labels` labels of which this rank has `own`.
  /// Makes the folder where there is none. `grid` and `own` must outlive it. Every rank must call
  /// it.
  Checkpoints(const Grid& grid, std::filesystem::path folder, std::string fingerprint, Index labels,
              std::span<const LabelId> own, double seconds);

  /// Reads this rank's weights from the last complete checkpoint; none: there is no such thing.
  /// Every rank must call it. Throws UsageError when that is of other data or options, InputError
  /// when it cannot be read.
  std::optional<Resumption> load(Matrix<Real>& weights);
  /// Writes one. Every rank that has the first rows must call it. Throws InputError.
  void write(const Resumption& state, const Matrix<Real>& weights);
  /// Whether so much time has passed since the last that another is due.
  bool is_due() const { return std::chrono::steady_clock::now() - last_ >= every_; }
  /// Removes what there is, when the run has ended well, and the folder if that was made for it.
  void remove();

 private:
  const std::filesystem::path& manifest() const { return files_[0]; }
  const std::filesystem::path& weights_file(int generation) const {
    return files_[generation == 0 ? 1 : 2];
  }

  const Grid& grid_;
  std::filesystem::path folder_;
  std::vector<std::filesystem::path> files_;
  bool made_folder_ = false;  ///< this run, or the one that it goes on from
  std::string fingerprint_;
  Index labels_;
  std::span<const LabelId> own_;
  std::chrono::duration<double> every_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  int next_ = 0;  ///< the generation to write
};

}  // namespace mugrad::mpi

// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/binary_matrix.h>

#include <vector>

namespace mugrad {

/// The cosine transfer of equation (15), row by row: each is that of label_transfer to the last
/// bit, and no two are held at once.
class CosineRows {
 public:
  /// `labels` must outlive it.
  explicit CosineRows(const BinaryMatrix& labels);

  /// How many labels this one is related to, itself included.
  Index size_of(LabelId label);
  /// Which those are, ascending, and how strongly; replaces what the vectors hold.
  void read(LabelId label, std::vector<LabelId>& related, std::vector<double>& strengths);

 private:
  void count(LabelId label);

  const BinaryMatrix& labels_;
  BinaryMatrix rows_of_;        ///< the examples of each label
  std::vector<Index> common_;   ///< examples that each label shares with the one that was counted
  std::vector<LabelId> found_;  ///< the labels that share any
};

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/sparse_matrix.h>

#include <vector>

namespace mugrad {

/// The cosine transfer of equation (15), row by row: each row equals that of label_transfer
/// exactly, and only one is stored at a time.
class CosineRows {
 public:
  /// `labels` must outlive it.
  explicit CosineRows(const BinaryMatrix& labels);

  /// The number of labels related to this one, including itself.
  Index size_of(LabelId label);
  /// These labels, ascending, and their strengths; replaces the contents of the vectors.
  void read(LabelId label, std::vector<LabelId>& related, std::vector<double>& strengths);

 private:
  void count(LabelId label);

  const BinaryMatrix& labels_;
  BinaryMatrix rows_of_;        ///< the examples of each label
  std::vector<Index> common_;   ///< examples in common with the last counted label
  std::vector<LabelId> found_;  ///< the labels with any
};

}  // namespace mugrad

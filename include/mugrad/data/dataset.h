// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/table_encoding.h>
#include <mugrad/linalg/features.h>
#include <mugrad/linalg/sparse_matrix.h>

#include <span>
#include <string>
#include <vector>

namespace mugrad {

/// A multi-label data set: one row per example.
struct Dataset {
  std::string name = {};
  Features x = {};      ///< n x p
  BinaryMatrix y = {};  ///< n x T, sparse
  /// n x T: one if it is unknown whether the example has the label; y is then zero. No rows and
  /// columns if everything is known.
  BinaryMatrix unknown = {};
  /// Weight of each example in training: one finite number >= 0 per row, not all 0; empty: all 1.
  /// Methods with MethodTraits::takes_row_weights use them.
  std::vector<double> row_weights = {};
  /// One per column of x and of y; empty if the format has no names.
  std::vector<std::string> feature_names = {};
  std::vector<std::string> label_names = {};
  /// The features that count the terms of texts: ascending and disjoint. If there are any, x is
  /// sparse.
  std::vector<TermBlock> term_blocks = {};
  /// The numbers of features and labels were inferred from the rows (LIBSVM), so another part of
  /// the same data may have more.
  bool widths_inferred = false;
  /// Which source declared the labels, for messages: "birds.xml", or an option as messages write
  /// it. Empty if no source did, or if the data were not read from a file.
  std::string labels_from = {};
  /// How the columns of a table became features; models keep it, to encode other rows alike.
  TableEncoding encoding = {};
  /// One per row, if the reader was asked to keep them and the table has an identifier.
  std::vector<std::string> row_names = {};

  Index rows() const noexcept { return x.rows(); }
  Index features() const noexcept { return x.cols(); }
  Index labels() const noexcept { return y.cols; }

  /// The weight of one example, and the sum over all examples.
  double weight_of(Index row) const noexcept {
    return row_weights.empty() ? 1 : row_weights[as_size(row)];
  }
  double total_weight() const noexcept;

  /// The unknown labels of an example.
  std::span<const LabelId> unknown_of(Index row) const noexcept {
    return unknown.rows() == 0 ? std::span<const LabelId>{} : unknown.row(row);
  }

  /// Mean number of labels per example; 0 without examples.
  double cardinality() const noexcept;
  /// Cardinality divided by the number of labels; 0 without labels.
  double density() const noexcept;
};

/// names[column], or the column number if there are no names.
std::string name_or_number(const std::vector<std::string>& names, Index column);

/// The selected rows, in the given order; everything else is unchanged.
Dataset select_rows(const Dataset& data, std::span<const Index> rows);

/// The size of a data set, for memory estimates; may be known before the rows are read.
struct DataShape {
  Index rows = 0;
  Index features = 0;
  Index labels = 0;
  Index stored = 0;     ///< stored features: all of a dense matrix, the non-zeros of a sparse one
  Index positives = 0;  ///< ones of the labels
  bool is_sparse = false;
  /// The labels, once they are read: the memory need of some methods depends on them.
  const BinaryMatrix* y = nullptr;

  /// The number of labels with positives, as far as known; the others are not trained.
  Index labels_that_occur() const;
};

/// `data` must outlive it.
DataShape shape_of(const Dataset& data);

}  // namespace mugrad

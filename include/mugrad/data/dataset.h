// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/binary_matrix.h>
#include <mugrad/linalg/features.h>

#include <span>
#include <string>
#include <vector>

namespace mugrad {

/// A multi-label data set: one row per example.
struct Dataset {
  std::string name = {};
  Features x = {};      ///< n x p
  BinaryMatrix y = {};  ///< n x T, sparse
  /// n x T: ones where it is not known whether the example has the label, and y has none; without
  /// rows and columns: all is known.
  BinaryMatrix unknown = {};
  /// How often each example counts in training: one finite number >= 0 per row, not all 0; or
  /// empty: 1. mgd, br, cc and ecc train by them.
  std::vector<double> row_weights = {};
  /// One per column of x and of y, or empty: the format had none.
  std::vector<std::string> feature_names = {};
  std::vector<std::string> label_names = {};
  /// The numbers of features and labels were inferred from the rows (LIBSVM), so another part of
  /// the same data may be wider.
  bool widths_inferred = false;
  /// Where it is said which columns are labels, for a person: "birds.xml", or an option as messages
  /// write it; empty where nothing says so, and for data that no file was read for.
  std::string labels_from = {};

  Index rows() const noexcept { return x.rows(); }
  Index features() const noexcept { return x.cols(); }
  Index labels() const noexcept { return y.cols; }

  /// How often this example counts, and how often all do.
  double weight_of(Index row) const noexcept {
    return row_weights.empty() ? 1 : row_weights[static_cast<std::size_t>(row)];
  }
  double total_weight() const noexcept;

  /// The labels that are not known of an example.
  std::span<const LabelId> unknown_of(Index row) const noexcept {
    return unknown.rows() == 0 ? std::span<const LabelId>{} : unknown.row(row);
  }

  /// Labels per example, on average; 0 for no examples.
  double cardinality() const noexcept;
  /// Cardinality divided by the number of labels; 0 for no labels.
  double density() const noexcept;
};

/// names[column], or the column's number where the format had no names.
std::string name_or_number(const std::vector<std::string>& names, Index column);

/// The chosen rows, in the order given; everything else as it was.
Dataset select_rows(const Dataset& data, std::span<const Index> rows);

}  // namespace mugrad

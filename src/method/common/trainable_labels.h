// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>
#include <mugrad/linalg/matrix.h>
#include <mugrad/linalg/sparse_matrix.h>
#include <mugrad/objective/linear_tasks.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mugrad {

/// The labels with both classes among the known examples of positive weight. The others have no
/// minimiser: they score a constant, usually their base rate, and do not affect other labels.
class TrainableLabels {
 public:
  explicit TrainableLabels(const Dataset& data) : TrainableLabels(data, {}) {}
  /// A label with examples elsewhere is trainable if it is known in one of these, even if they have
  /// only one class. `elsewhere` is their weight for each label; empty: there are none.
  TrainableLabels(const Dataset& data, std::span<const double> elsewhere);

  /// The label matrix with only the trainable columns.
  const BinaryMatrix& labels() const noexcept { return labels_; }
  /// The unknown entries of these columns.
  const BinaryMatrix& unknown() const noexcept { return unknown_; }
  /// The weight of the positive and of the known examples of each trainable label.
  std::vector<double> positives() const { return narrowed(positives_); }
  std::vector<double> known() const { return narrowed(known_); }
  /// The label of each trainable column, ascending.
  const std::vector<LabelId>& original() const noexcept { return original_; }
  /// Labels with only one class, or none.
  const std::vector<LabelId>& constant() const noexcept { return constant_; }
  /// A warning about the constant labels, if there are any; `they` says what they do.
  std::optional<std::string> warning(const std::vector<std::string>& names,
                                     std::string_view they = "predict their base rate") const;

  /// The entries of the trainable labels, given one per label.
  std::vector<double> narrowed(const std::vector<double>& of_all) const;
  /// Intercepts of all labels: the given ones for the trainable labels, base rates for the rest. A
  /// label without known examples counts as absent.
  template <class Real>
  std::vector<double> intercepts(std::span<const Real> trained, LossKind loss) const;
  /// From (p + 1) x trainable, with the intercepts in row 0, to p x all; zero for the rest.
  template <class Real>
  Matrix<Real> widened(const Matrix<Real>& weights) const;
  /// From trainable x trainable to all x all; zero for the rest.
  Matrix<double> widened_square(const Matrix<double>& of_trainable) const;
  /// From all x all to trainable x trainable; coefficients of the other labels go to the diagonal.
  CsrMatrix<double> narrowed(const CsrMatrix<double>& transfer) const;
  /// From trainable x trainable to all x all; the identity for the rest.
  CsrMatrix<double> widened(const CsrMatrix<double>& transfer) const;

 private:
  BinaryMatrix narrowed(const BinaryMatrix& of_all) const;

  std::vector<double> positives_;  ///< weight of the positives of every label
  std::vector<double> known_;      ///< weight of the known examples of every label
  double total_;                   ///< of all examples
  std::vector<LabelId> position_;  ///< of each label among the trainable ones, or -1
  std::vector<LabelId> original_;  ///< of each trainable column
  std::vector<LabelId> constant_;
  BinaryMatrix labels_;
  BinaryMatrix unknown_;
};

}  // namespace mugrad

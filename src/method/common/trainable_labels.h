// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>
#include <mugrad/linalg/binary_matrix.h>
#include <mugrad/linalg/csr.h>
#include <mugrad/linalg/matrix.h>
#include <mugrad/objective/loss.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mugrad {

/// The labels of which both classes are known, among the examples that count. The others have no
/// minimiser: they score a constant, as a rule their base rate, and neither give nor take.
class TrainableLabels {
 public:
  explicit TrainableLabels(const Dataset& data);

  /// The label matrix with only the trainable columns.
  const BinaryMatrix& labels() const noexcept { return labels_; }
  /// Where those are not known.
  const BinaryMatrix& unknown() const noexcept { return unknown_; }
  /// Of each trainable label, its positive and its known examples, as often as they count.
  std::vector<double> positives() const { return narrowed(positives_); }
  std::vector<double> known() const { return narrowed(known_); }
  /// Which label each trainable one is, ascending.
  const std::vector<LabelId>& original() const noexcept { return original_; }
  /// Labels with one class only, or none.
  const std::vector<LabelId>& constant() const noexcept { return constant_; }
  /// What the user should know of them, if there are any; `they` is what they do.
  std::optional<std::string> warning(const std::vector<std::string>& names,
                                     std::string_view they = "predict their base rate") const;

  /// Of a value per label, those of the trainable ones.
  std::vector<double> narrowed(const std::vector<double>& of_all) const;
  /// Intercepts of all labels: those given for the trainable ones, base rates for the rest. A label
  /// of which nothing is known counts as one that never occurs.
  template <class Real>
  std::vector<double> intercepts(std::span<const Real> trained, LossKind loss) const;
  /// From (p + 1) x trainable, with the intercepts in row 0, to p x all; zero for the rest.
  template <class Real>
  Matrix<Real> widened(const Matrix<Real>& weights) const;
  /// From trainable x trainable to all x all; zero for the rest.
  Matrix<double> widened_square(const Matrix<double>& of_trainable) const;
  /// From all x all to trainable x trainable; what was borrowed from the rest stays one's own.
  CsrMatrix<double> narrowed(const CsrMatrix<double>& transfer) const;
  /// From trainable x trainable to all x all; the identity for the rest.
  CsrMatrix<double> widened(const CsrMatrix<double>& transfer) const;

 private:
  BinaryMatrix narrowed(const BinaryMatrix& of_all) const;

  std::vector<double> positives_;  ///< of every label, as often as they count
  std::vector<double> known_;      ///< examples of every label, the same
  double total_;                   ///< of all examples
  std::vector<LabelId> position_;  ///< of each label among the trainable ones, or -1
  std::vector<LabelId> original_;  ///< of each trainable column
  std::vector<LabelId> constant_;
  BinaryMatrix labels_;
  BinaryMatrix unknown_;
};

}  // namespace mugrad

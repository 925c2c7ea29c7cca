// SPDX-License-Identifier: MIT
#pragma once

#include "core/stages.h"
#include "linalg/pass/design.h"
#include "method/common/outcome.h"
#include "method/common/trainable_labels.h"
#include "solver/proximal_gradient.h"

#include <mugrad/core/memory.h>
#include <mugrad/data/data_shape.h>
#include <mugrad/data/dataset.h>
#include <mugrad/data/scaling.h>
#include <mugrad/model/model.h>
#include <mugrad/parallel/thread_pool.h>

namespace mugrad {

/// The labels of a data set as linear functions of its scaled features and a column of ones: what
/// LLSF, LLSF-DL and JFSC start from.
class LabelSquares {
 public:
  /// Throws InputError when features are too large to be squared, and InterruptedError.
  LabelSquares(const Dataset& data, ScalingKind scaling, ThreadPool& pool, Stages& stages);

  /// Of the trainable labels; without any there is nothing to solve.
  const BinaryMatrix& labels() const noexcept { return trainable_.labels(); }
  bool is_empty() const noexcept { return labels().cols == 0; }
  const TrainableLabels& trainable() const noexcept { return trainable_; }
  const Scaling& scaling() const noexcept { return scaling_; }
  /// A = [1 X].
  const Design<double>& design() const noexcept { return design_; }
  const Matrix<double>& gram() const noexcept { return gram_; }          ///< A'A
  const Matrix<double>& products() const noexcept { return products_; }  ///< A'Y

  /// strength times the Laplacian Diag(C 1) - C of the cosines C between labels, or 1 - C.
  Matrix<double> coupling(double strength, bool indefinite) const;

 private:
  TrainableLabels trainable_;
  Scaling scaling_;
  Design<double> design_;
  Matrix<double> gram_, products_;
};

/// The features, A'A and A'Y, and the numbers of features and labels.
MemoryNeed label_squares_memory(const DataShape& shape);
/// What helps where there is no room for them.
inline constexpr std::string_view kFewerSquares =
    "fewer features, or a method that does not compare every two of them,";

/// A' diag(weights) A and A' diag(weights) Y, as sums over the rows.
Matrix<double> gram_sums(const Design<double>& design, ThreadPool& pool,
                         std::span<const double> weights = {});
Matrix<double> label_sums(const Design<double>& design, const BinaryMatrix& labels,
                          std::span<const double> weights = {});

/// Throws InterruptedError when a run ended so.
void throw_if_interrupted(const ProximalReport& run);

/// What a report says of a run besides the run itself.
struct SquaresRun {
  Asked asked;
  /// What the objective has that is not positive semi-definite and may let it fall without bound.
  std::string_view indefinite_part;
  std::string_view solver = "proximal";
};

/// What a run says, with a warning where there is no minimum or where it ended at its limit, and
/// which labels are constant.
void add_to_report(const ProximalReport& run, const SquaresRun& of,
                   const TrainableLabels& trainable, const std::vector<std::string>& label_names,
                   TrainingReport& report);

inline constexpr std::string_view kIndefiniteRelation = "the relation 1 - cosine between labels is";

/// Minimising squares of so many rows of weights that are coupled between labels: a copy of the
/// products, and iterates. `with_inverse`: started from a ridge regression.
MemoryNeed coupled_squares_memory(Index rows, Index labels, bool with_inverse);

}  // namespace mugrad

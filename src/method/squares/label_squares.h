// SPDX-License-Identifier: MIT
#pragma once

#include "core/stages.h"
#include "linalg/pass/design.h"
#include "method/common/outcome.h"
#include "method/common/trainable_labels.h"
#include "solver/proximal_gradient.h"

#include <mugrad/core/memory.h>
#include <mugrad/data/dataset.h>
#include <mugrad/data/representation.h>
#include <mugrad/model/model.h>
#include <mugrad/parallel/thread_pool.h>

namespace mugrad {

/// The labels of a data set as linear functions of its scaled features and a column of ones: the
/// basis of LLSF, LLSF-DL and JFSC.
class LabelSquares {
 public:
  /// Throws InputError if features are too large to be squared, and InterruptedError.
  LabelSquares(const Dataset& data, const Representation& representation, ThreadPool& pool,
               Stages& stages);

  /// Of the trainable labels; if there are none, there is nothing to solve.
  const BinaryMatrix& labels() const noexcept { return trainable_.labels(); }
  bool is_empty() const noexcept { return labels().cols == 0; }
  const TrainableLabels& trainable() const noexcept { return trainable_; }
  const Representation& representation() const noexcept { return representation_; }
  /// A = [1 X].
  const Design<double>& design() const noexcept { return design_; }
  const Matrix<double>& gram() const noexcept { return gram_; }          ///< A'A
  const Matrix<double>& products() const noexcept { return products_; }  ///< A'Y

  /// strength times the Laplacian Diag(C 1) - C of the cosines C between labels, or 1 - C.
  Matrix<double> coupling(double strength, bool indefinite) const;

 private:
  TrainableLabels trainable_;
  Representation representation_;
  Design<double> design_;
  Matrix<double> gram_, products_;
};

/// The features, A'A and A'Y, and the numbers of features and labels.
MemoryNeed label_squares_memory(const DataShape& shape);
/// What to reduce if they do not fit into memory.
inline constexpr std::string_view kFewerSquares =
    "fewer features, or a method that does not use all pairs of them,";

/// A' diag(weights) A and A' diag(weights) Y, as sums over the rows.
Matrix<double> gram_sums(const Design<double>& design, ThreadPool& pool,
                         std::span<const double> weights = {});
Matrix<double> label_sums(const Design<double>& design, const BinaryMatrix& labels,
                          std::span<const double> weights = {});

/// Throws InterruptedError if a run ended that way.
void throw_if_interrupted(const ProximalReport& run);

/// Further inputs for the report of a run.
struct SquaresRun {
  Asked asked;
  /// The indefinite part of the objective, which may make it unbounded below.
  std::string_view indefinite_part;
  std::string_view solver = "proximal";
};

/// Adds the outcome of a run, with a warning if there is no minimum or if it ended at its limit,
/// and the constant labels.
void add_to_report(const ProximalReport& run, const SquaresRun& of,
                   const TrainableLabels& trainable, const std::vector<std::string>& label_names,
                   TrainingReport& report);

inline constexpr std::string_view kIndefiniteRelation = "the relation 1 - cosine between labels is";

/// Minimising squares with this many rows of weights that are coupled between labels: a copy of the
/// products, and iterates. `with_inverse`: it starts from a ridge regression.
MemoryNeed coupled_squares_memory(Index rows, Index labels, bool with_inverse);

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#pragma once

#include "objective/plain_reference.h"
#include "support/random_problem.h"

#include <mugrad/data/representation.h>
#include <mugrad/objective/linear_tasks.h>
#include <mugrad/solver/solve.h>
#include <mugrad/transfer/transfer.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

namespace mugrad::testing {

/// The transfers whose equilibria are sought.
enum class Borrowing {
  cosine,
  pearson,
  conditional,
  strongest,  ///< the two most similar labels: not reversible
  given,      ///< a random row-stochastic matrix
  low_rank,   ///< cosine, without a matrix
  slices,     ///< two random matrices, parameter by parameter
};
inline constexpr Borrowing kEveryBorrowing[] = {
    Borrowing::cosine, Borrowing::pearson,  Borrowing::conditional, Borrowing::strongest,
    Borrowing::given,  Borrowing::low_rank, Borrowing::slices};

inline CsrMatrix<double> random_stochastic(Index tasks, std::uint64_t seed) {
  RandomStream random(seed, "stochastic");
  CsrMatrix<double> mbar;
  mbar.cols = tasks;
  for (Index i = 0; i < tasks; ++i) {
    std::vector<double> row;
    double sum = 0;
    for (Index j = 0; j < tasks; ++j) {
      row.push_back(random.uniform() + 0.01);
      sum += row.back();
    }
    for (Index j = 0; j < tasks; ++j) {
      mbar.column.push_back(static_cast<std::int32_t>(j));
      mbar.value.push_back(row[static_cast<std::size_t>(j)] / sum);
    }
    mbar.end_row();
  }
  return mbar;
}

struct Case {
  ProblemShape shape = {.rows = 40, .features = 5, .labels = 5};
  std::uint64_t seed = 1;
  LinearTaskOptions options = {.rho = 0.05};
  double sigma = 0.1;
  Borrowing borrowing = Borrowing::cosine;
  Intercepts intercepts = Intercepts::own;
  RepresentationKind representation = RepresentationKind::zscore;
  bool is_sparse = false;
  bool some_unknown = false;
};

/// A problem made from a case, with its residual computed by plain loops.
class EquilibriumCase {
 public:
  explicit EquilibriumCase(const Case& chosen)
      : case_(chosen), data_(random_problem(chosen.shape, chosen.seed)) {
    if (case_.is_sparse) data_.x = as_sparse(data_.x);
    transform_ = feature_transform(fit_representation(data_.x, case_.representation));
    if (case_.some_unknown) hide_some();
    make_slices();
  }
  EquilibriumCase(const EquilibriumCase&) = delete;
  EquilibriumCase& operator=(const EquilibriumCase&) = delete;

  Index parameters() const { return data_.features() + 1; }
  Index labels() const { return data_.labels(); }
  const Case& setting() const { return case_; }
  const Dataset& data() const { return data_; }

  template <class Real>
  std::unique_ptr<TaskSet<Real>> tasks(ThreadPool& pool) const {
    auto options = case_.options;
    if (case_.some_unknown) options.unknown = &unknown_;
    return linear_tasks<Real>(data_.x, transform_, data_.y, options, pool);
  }

  template <class Real>
  std::unique_ptr<Transfer<Real>> transfer(ThreadPool& pool) const {
    if (case_.borrowing == Borrowing::low_rank) {
      return low_rank_cosine_transfer<Real>(data_.y, case_.intercepts, pool);
    }
    if (case_.borrowing == Borrowing::slices) return elementwise_transfer<Real>(slices_, pool);
    return scalar_transfer<Real>(slices_.matrices[0], case_.intercepts, pool);
  }

  /// max_i |F_i(W)| of equation (11).
  double residual(const Matrix<double>& weights) const {
    auto options = case_.options;
    if (case_.some_unknown) options.unknown = &unknown_;
    const auto plain = plain_reference(data_.x, transform_, data_.y, options, weights);
    double largest = 0;
    for (Index i = 0; i < weights.cols(); ++i) {
      double squares = 0;
      for (Index k = 0; k < weights.rows(); ++k) {
        const double f =
            plain.gradient(k, i) + case_.sigma * (weights(k, i) - borrowed(weights, k, i));
        squares += f * f;
      }
      if (!(squares <= largest)) largest = squares;  // NaN too
    }
    return std::sqrt(largest);
  }

 private:
  double borrowed(const Matrix<double>& weights, Index k, Index i) const {
    const auto slice = static_cast<std::size_t>(k) < slices_.of_parameter.size()
                           ? slices_.of_parameter[static_cast<std::size_t>(k)]
                           : slices_.of_the_rest;
    if (slice == TransferSlices::kOwn) return weights(k, i);
    const auto& matrix = slices_.matrices[static_cast<std::size_t>(slice)];
    double sum = 0;
    for (std::size_t j = 0; j < matrix.row_columns(i).size(); ++j) {
      sum += matrix.row_values(i)[j] * weights(k, matrix.row_columns(i)[j]);
    }
    return sum;
  }

  /// What every transfer does, parameter by parameter.
  void make_slices() {
    const auto similar = [&](Similarity similarity, std::optional<Index> top = std::nullopt) {
      return label_transfer(data_.y, similarity, top).mbar;
    };
    slices_.of_parameter = {case_.intercepts == Intercepts::own ? TransferSlices::kOwn : 0};
    switch (case_.borrowing) {
      case Borrowing::cosine:
      case Borrowing::low_rank:
        slices_.matrices = {similar(Similarity::cosine)};
        return;
      case Borrowing::pearson:
        slices_.matrices = {similar(Similarity::pearson)};
        return;
      case Borrowing::conditional:
        slices_.matrices = {similar(Similarity::conditional)};
        return;
      case Borrowing::strongest:
        slices_.matrices = {similar(Similarity::cosine, 2)};
        return;
      case Borrowing::given:
        slices_.matrices = {random_stochastic(labels(), case_.seed)};
        return;
      case Borrowing::slices:
        slices_.matrices = {random_stochastic(labels(), case_.seed),
                            random_stochastic(labels(), case_.seed + 1)};
        for (Index k = 1; k < parameters(); ++k) {
          slices_.of_parameter.push_back(static_cast<int>(k % 2));
        }
        return;
    }
  }

  /// A tenth of what is not a one, but of no row that makes sure of both classes.
  void hide_some() {
    RandomStream random(case_.seed, "unknown");
    unknown_.cols = labels();
    for (Index row = 0; row < data_.rows(); ++row) {
      for (LabelId label = 0; label < labels(); ++label) {
        if (row > 1 && random.uniform() < 0.1 && !has(data_.y, row, label)) {
          unknown_.column.push_back(label);
        }
      }
      unknown_.end_row();
    }
  }

  Case case_;
  Dataset data_;
  FeatureTransform transform_;
  BinaryMatrix unknown_;
  TransferSlices slices_;
};

}  // namespace mugrad::testing

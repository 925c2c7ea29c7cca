// SPDX-License-Identifier: MIT
#include "method/mgd/learned_similarity.h"

#include "linalg/row_weight.h"
#include "transfer/column_cosines.h"

#include <mugrad/core/random.h>
#include <mugrad/data/splits.h>

#include <algorithm>
#include <cmath>

namespace mugrad {
namespace {

/// Checks for interruption without reporting a share, which would not be that of the whole work.
class Interruption final : public Progress {
 public:
  explicit Interruption(Progress* progress) : progress_(progress) {}
  bool update(double /*share*/) override { return progress_ == nullptr || progress_->update(1); }

 private:
  Progress* progress_;
};

/// The scores of each example for the trainable labels, by models that were trained alone and
/// without the example.
Matrix<float> out_of_fold_scores(const Dataset& data, const MgdOptions& options,
                                 const TrainableLabels& trainable, Progress* progress) {
  const MgdOptions of_fold = options_alone(options);
  Matrix<float> all(data.rows(), trainable.labels().cols);
  Interruption interruption(progress);
  for (const SplitRows& rows : k_fold_rows(data.rows(), kPredictedFolds, options.seed)) {
    const Split split = take(data, rows);
    const auto scores = fit(split.train, of_fold, &interruption)
                            .scores(split.test.x, options.threads, &interruption);
    for (std::size_t k = 0; k < rows.test.size(); ++k) {
      const auto from = scores.row(as_index(k));
      std::ranges::transform(
          trainable.original(), all.row(rows.test[k]).begin(),
          [&](LabelId label) { return static_cast<float>(from[as_size(label)]); });
    }
  }
  return all;
}

/// Subtracts the weighted mean of each column, and multiplies rows by the roots of their weights:
/// the cosines of columns are then weighted correlations.
void centre(Matrix<float>& columns, std::span<const double> row_weights) {
  std::vector<double> means(as_size(columns.cols()), 0);
  double total = 0;
  for (Index row = 0; row < columns.rows(); ++row) {
    const double weight = weight_of(row_weights, row);
    total += weight;
    const auto values = columns.row(row);
    for (std::size_t t = 0; t < means.size(); ++t)
      means[t] += weight * static_cast<double>(values[t]);
  }
  for (Index row = 0; row < columns.rows(); ++row) {
    const double root = std::sqrt(weight_of(row_weights, row));
    const auto values = columns.row(row);
    for (std::size_t t = 0; t < means.size(); ++t) {
      values[t] = static_cast<float>(root * (static_cast<double>(values[t]) - means[t] / total));
    }
  }
}

}  // namespace

Index learned_neighbours(const MgdOptions& options) noexcept {
  return options.neighbours.value_or(kLearnedNeighbours);
}

MgdOptions options_alone(MgdOptions options) {
  options.sigma = 0;
  options.sigma_ratio.reset();
  options.sigma_per_label.clear();
  options.initial.reset();
  return options;
}

template <class Real>
CsrMatrix<double> learned_similarity(const Dataset& data, const MgdOptions& options,
                                     const TrainableLabels& trainable, const Matrix<Real>& alone,
                                     ThreadPool& pool, Progress* progress) {
  const Index top = learned_neighbours(options);
  constexpr Index kIntercepts = 1;
  if (options.similarity == Similarity::weights || data.rows() < kPredictedFolds) {
    return strongest_cosines(alone, kIntercepts, top, pool);
  }
  auto scores = out_of_fold_scores(data, options, trainable, progress);
  centre(scores, data.row_weights);
  return strongest_cosines(scores, 0, top, pool);
}

template CsrMatrix<double> learned_similarity<float>(const Dataset&, const MgdOptions&,
                                                     const TrainableLabels&, const Matrix<float>&,
                                                     ThreadPool&, Progress*);
template CsrMatrix<double> learned_similarity<double>(const Dataset&, const MgdOptions&,
                                                      const TrainableLabels&, const Matrix<double>&,
                                                      ThreadPool&, Progress*);

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#include "method/mgd/mgd_problem.h"

#include "method/common/base_score.h"
#include "method/common/feature_checks.h"
#include "method/common/initial_weights.h"
#include "method/common/weights_near_one.h"
#include "method/mgd/mgd_memory.h"
#include "method/mgd/mgd_options.h"
#include "solver/equilibrium.h"

#include <mugrad/core/random.h>

#include <algorithm>

namespace mugrad {

LinearTaskOptions task_options(const Dataset& data, const MgdOptions& options,
                               const TrainableLabels& trainable) {
  LinearTaskOptions result{.loss = options.loss,
                           .rho = options.rho,
                           .l1 = options.l1,
                           .l1_sharpness = options.l1_sharpness,
                           .row_weights = weights_near_one(data.row_weights)};
  if (trainable.unknown().ones() > 0) result.unknown = &trainable.unknown();
  if (!options.positive_weights.empty()) {
    result.positive_weights = trainable.narrowed(options.positive_weights);
  } else if (options.positive_weight != 1) {
    result.positive_weights.assign(static_cast<std::size_t>(trainable.labels().cols),
                                   options.positive_weight);
  }
  return result;
}

ChosenTransfer transfer_for(const TrainableLabels& trainable, const MgdOptions& options,
                            std::span<const double> row_weights) {
  const BinaryMatrix& labels = trainable.labels();
  const BinaryMatrix& unknown = trainable.unknown();
  const auto sigmas = options.sigma_per_label.empty() ? std::vector<double>{}
                                                      : trainable.narrowed(options.sigma_per_label);
  const double sigma = options.sigma_per_label.empty() ? options.sigma
                       : sigmas.empty()                ? 0
                                                       : std::ranges::max(sigmas);
  // Without transfer nothing is borrowed, and the relations in the model say so.
  if (sigma == 0) return {no_transfer(labels.cols), 0};
  TransferMatrix matrix =
      options.transfer ? transfer_as_given(trainable.narrowed(options.transfer->mbar), labels.cols)
                       : label_transfer(labels, options.similarity, options.neighbours,
                                        unknown.ones() > 0 ? &unknown : nullptr, row_weights);
  if (!options.sigma_per_label.empty()) matrix = with_strengths(matrix, sigmas);
  return {std::move(matrix), sigma};
}

double start_of(const MgdOptions& options, double positives, double known, double weight) {
  if (options.start != Start::log_odds) return 0;
  return base_score(options.loss, weight * positives, weight * positives + (known - positives));
}

bool is_full_cosine(const Dataset& data, const MgdOptions& options,
                    const TrainableLabels& trainable) {
  return data.row_weights.empty() && options.sigma > 0 &&
         options.similarity == Similarity::cosine && !options.neighbours && !options.transfer &&
         options.sigma_per_label.empty() && trainable.unknown().ones() == 0;
}

template <class Real>
MgdProblem<Real>::MgdProblem(const Dataset& data, const MgdOptions& options, Progress* progress)
    : data_(data),
      options_((validate(options, data), require_memory_for<Real>(data, options), options)),
      pool_(options.threads),
      trainable_(data),
      scaling_(fit_scaling(data.x, options.scaling, weights_near_one(data.row_weights))),
      intercepts_(options.transfer_intercept ? Intercepts::transferred : Intercepts::own),
      task_options_(task_options(data, options, trainable_)) {
  advance(progress, 0);
  check_range(data, scaling_);
  auto chosen = transfer_for(trainable_, options, task_options_.row_weights);
  matrix_ = std::move(chosen.matrix);
  sigma_ = chosen.sigma;
  if (is_empty()) return;
  advance(progress, 0);
  const FeatureTransform transform = feature_transform(scaling_);
  check_magnitude<Real>(data, transform);
  tasks_ = linear_tasks<Real>(data.x, transform, trainable_.labels(), task_options_, pool_);
  advance(progress, 0);
  transfer_ =
      is_full_cosine(data, options, trainable_) && low_rank_pays(trainable_.labels(), matrix_.mbar)
          ? low_rank_cosine_transfer<Real>(trainable_.labels(), intercepts_, pool_, &matrix_.mbar)
          : scalar_transfer<Real>(matrix_.mbar, intercepts_, pool_);
  advance(progress, 0);
}

template <class Real>
void MgdProblem<Real>::set_strengths(double rho, double sigma) {
  task_options_.rho = rho;
  tasks_->set_rho(rho);
  sigma_ = sigma;
}

template <class Real>
Matrix<Real> MgdProblem<Real>::start() const {
  const BinaryMatrix& labels = trainable_.labels();
  Matrix<Real> weights(data_.features() + 1, labels.cols);
  const auto positive = trainable_.positives();
  const auto known = trainable_.known();
  for (std::size_t i = 0; i < positive.size(); ++i) {
    const double weight =
        task_options_.positive_weights.empty() ? 1 : task_options_.positive_weights[i];
    weights(0, static_cast<Index>(i)) =
        static_cast<Real>(start_of(options_, positive[i], known[i], weight));
  }
  if (options_.start == Start::random) {
    RandomStream random(options_.seed, "mgd-start");
    for (Real& weight : weights.values()) {
      weight = static_cast<Real>(options_.start_deviation * random.normal());
    }
  }
  return weights;
}

template <class Real>
Matrix<Real> MgdProblem<Real>::first_weights() const {
  if (!options_.initial) return start();
  const Matrix<double> of_all = weights_under(*options_.initial, scaling_);
  Matrix<Real> weights(of_all.rows(), trainable_.labels().cols);
  for (Index k = 0; k < weights.rows(); ++k) {
    for (Index t = 0; t < weights.cols(); ++t) {
      const LabelId label = trainable_.original()[static_cast<std::size_t>(t)];
      weights(k, t) = static_cast<Real>(of_all(k, label));
    }
  }
  return weights;
}

template <class Real>
double MgdProblem<Real>::residual_at(const Matrix<Real>& weights) {
  Matrix<Real> field(weights.rows(), weights.cols());
  Equilibrium<Real> equilibrium(*tasks_, *transfer_, sigma_, false, pool_);
  equilibrium.evaluate({}, weights, field);
  return equilibrium.residual();
}

template class MgdProblem<float>;
template class MgdProblem<double>;

}  // namespace mugrad

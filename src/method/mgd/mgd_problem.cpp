// SPDX-License-Identifier: MIT
#include "method/mgd/mgd_problem.h"

#include "method/common/base_score.h"
#include "method/common/feature_checks.h"
#include "method/common/initial_weights.h"
#include "method/common/outcome.h"
#include "method/common/weights_near_one.h"
#include "method/mgd/learned_similarity.h"
#include "method/mgd/mgd_options.h"
#include "method/mgd/mgd_prior.h"
#include "solver/equilibrium.h"

#include <mugrad/core/random.h>
#include <mugrad/solver/solvers.h>

#include <algorithm>
#include <utility>

namespace mugrad {

LinearTaskOptions task_options(const Dataset& data, const MgdOptions& options,
                               const TrainableLabels& trainable) {
  LinearTaskOptions result{.loss = options.loss,
                           .rho = options.rho,
                           .l1 = options.l1,
                           .l1_sharpness = options.l1_sharpness,
                           .row_weights = weights_near_one(data.row_weights)};
  if (trainable.unknown().ones() > 0) result.unknown = &trainable.unknown();
  if (options.prior) result.examples = all_examples(data, options, trainable);
  if (!options.positive_weights.empty()) {
    result.positive_weights = trainable.narrowed(options.positive_weights);
  } else if (options.positive_weight != 1) {
    result.positive_weights.assign(as_size(trainable.labels().cols), options.positive_weight);
  }
  return result;
}

ChosenTransfer transfer_for(const TrainableLabels& trainable, const MgdOptions& options,
                            std::span<const double> row_weights) {
  const BinaryMatrix& labels = trainable.labels();
  const BinaryMatrix& unknown = trainable.unknown();
  const auto sigmas = options.sigma_per_label.empty() ? std::vector<double>{}
                                                      : trainable.narrowed(options.sigma_per_label);
  const double sigma = options.sigma_per_label.empty() ? transfer_strength(options)
                       : sigmas.empty()                ? 0
                                                       : std::ranges::max(sigmas);
  // Without transfer nothing is borrowed, and the relations in the model show that.
  if (sigma == 0) return {no_transfer(labels.cols), 0};
  if (options.prior) {
    const auto all = continued_relations(trainable, options, row_weights);
    return {transfer_as_given(trainable.narrowed(all), labels.cols), sigma};
  }
  if (learns_relations(options)) return {no_transfer(labels.cols), sigma};
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

bool learns_relations(const MgdOptions& options) {
  return is_learned(options.similarity) && !options.transfer && !options.prior;
}

bool uses_row_space(const DataShape& shape, const MgdOptions& options) {
  return options.solver == SolverKind::accelerated && options.start != Start::random &&
         options.l1 == 0 && !options.prior && RowSpace::pays(shape.rows, shape.stored);
}

bool is_full_cosine(const Dataset& data, const MgdOptions& options,
                    const TrainableLabels& trainable) {
  return data.row_weights.empty() && transfer_strength(options) > 0 &&
         options.similarity == Similarity::cosine && !options.neighbours && !options.transfer &&
         !options.prior && options.sigma_per_label.empty() && trainable.unknown().ones() == 0;
}

template <class Real>
MgdProblem<Real>::MgdProblem(const Dataset& data, const MgdOptions& options, Progress* progress)
    : data_(data),
      options_((validate(options, data), require_memory_for<Real>(data, options), options)),
      pool_(options.threads),
      trainable_(data, examples_before(options)),
      representation_(options.prior ? options.prior->contents().representation
                                    : fit_representation(data.x, options.representation,
                                                         weights_near_one(data.row_weights),
                                                         data.term_blocks, options.text_weight)),
      intercepts_(options.transfer_intercept ? Intercepts::transferred : Intercepts::own),
      task_options_(task_options(data, options, trainable_)) {
  advance(progress, 0);
  check_range(data, representation_);
  auto chosen = transfer_for(trainable_, options, task_options_.row_weights);
  matrix_ = std::move(chosen.matrix);
  sigma_ = chosen.sigma;
  if (is_empty()) return;
  advance(progress, 0);
  const FeatureTransform transform = feature_transform(representation_);
  check_magnitude<Real>(data, transform);
  if (uses_row_space(shape_of(data), options)) row_space_.emplace(data.x, transform);
  tasks_ = row_space_
               ? linear_tasks<Real>(row_space_->coordinates(), {}, trainable_.labels(),
                                    task_options_, pool_)
               : linear_tasks<Real>(data.x, transform, trainable_.labels(), task_options_, pool_);
  if (options.prior) {
    tasks_ = std::make_unique<PriorTasks<Real>>(
        std::move(tasks_), prior_of<Real>(data, options, trainable_, sigma_), pool_);
  }
  advance(progress, 0);
  if (sigma_ > 0 && learns_relations(options)) {
    alone_ = given_weights();
    learn_relations(progress);
    return;
  }
  transfer_ =
      is_full_cosine(data, options, trainable_) && low_rank_pays(trainable_.labels(), matrix_.mbar)
          ? low_rank_cosine_transfer<Real>(trainable_.labels(), intercepts_, pool_, &matrix_.mbar)
          : scalar_transfer<Real>(matrix_.mbar, intercepts_, pool_);
  advance(progress, 0);
}

template <class Real>
void MgdProblem<Real>::learn_relations(Progress* progress) {
  transfer_ = scalar_transfer<Real>(no_transfer(trainable_.labels().cols).mbar, intercepts_, pool_);
  const double sigma = std::exchange(sigma_, 0);
  const bool is_first = passes_alone_ == 0 && !options_.initial;
  const auto report = find_equilibrium<Real>(
      *tasks_, *transfer_, alone_,
      {.stopping = {.tolerance = options_.tolerance,
                    .reference_residual = is_first ? 0 : residual_at(start()),
                    .max_iterations = options_.max_iterations},
       .progress = progress},
      pool_);
  throw_unless_usable(report);
  passes_alone_ += report.passes;
  sigma_ = sigma;
  matrix_ = transfer_from(learned_similarity(data_, options_, trainable_, alone_, pool_, progress));
  if (!options_.sigma_per_label.empty()) {
    matrix_ = with_strengths(matrix_, trainable_.narrowed(options_.sigma_per_label));
  }
  transfer_ = scalar_transfer<Real>(matrix_.mbar, intercepts_, pool_);
}

template <class Real>
bool MgdProblem<Real>::set_strengths(double rho, double sigma, Progress* progress) {
  const bool learns_again = alone_.cols() > 0 && rho != task_options_.rho;
  task_options_.rho = options_.rho = rho;
  tasks_->set_rho(rho);
  sigma_ = sigma;
  if (learns_again) learn_relations(progress);
  return learns_again;
}

template <class Real>
Matrix<Real> MgdProblem<Real>::start() const {
  const BinaryMatrix& labels = trainable_.labels();
  Matrix<Real> weights(tasks_->parameters(), labels.cols);
  const auto positive = trainable_.positives();
  const auto known = trainable_.known();
  for (std::size_t i = 0; i < positive.size(); ++i) {
    const double weight =
        task_options_.positive_weights.empty() ? 1 : task_options_.positive_weights[i];
    weights(0, as_index(i)) = static_cast<Real>(start_of(options_, positive[i], known[i], weight));
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
  return alone_.cols() > 0 ? alone_ : given_weights();
}

template <class Real>
Matrix<Real> MgdProblem<Real>::given_weights() const {
  if (options_.prior) return first_weights_of(*options_.prior, trainable_, start());
  if (!options_.initial) return start();
  Matrix<double> of_all = weights_under(*options_.initial, representation_);
  if (row_space_) of_all = row_space_->projected(of_all);
  Matrix<Real> weights(of_all.rows(), trainable_.labels().cols);
  for (Index k = 0; k < weights.rows(); ++k) {
    for (Index t = 0; t < weights.cols(); ++t) {
      const LabelId label = trainable_.original()[as_size(t)];
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

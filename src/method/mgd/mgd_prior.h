// SPDX-License-Identifier: MIT
#pragma once

#include "method/common/trainable_labels.h"
#include "method/mgd/mgd_problem.h"
#include "objective/prior_tasks.h"

#include <mugrad/data/dataset.h>
#include <mugrad/linalg/sparse_matrix.h>
#include <mugrad/method/mgd.h>
#include <mugrad/model/model.h>

#include <span>
#include <vector>

namespace mugrad {

// What the prior of the options, a model with a curvature, changes in a training: equation (23).

/// The weight of the prior's examples of each label, by which labels are trainable: 0 where nothing
/// holds the intercept. Empty without a prior.
std::vector<double> examples_before(const MgdOptions& options);

/// The divisors of the sums over the examples of each trainable label: those of the prior and those
/// of the data, in the unit of weights_near_one.
std::vector<double> all_examples(const Dataset& data, const MgdOptions& options,
                                 const TrainableLabels& trainable);

/// The relations of all labels: those of the prior for labels that it has trained, and for other
/// trainable ones those of their occurrence in these data. If the prior has learned its relations,
/// or was given them, the cosine is taken for the latter.
CsrMatrix<double> continued_relations(const TrainableLabels& trainable, const MgdOptions& options,
                                      std::span<const double> row_weights);

/// The features that are 0 in every represented row of positive weight.
std::vector<bool> absent_features(const Dataset& data, const Representation& representation);

/// What the prior adds to the tasks of the trainable labels under this strength of transfer.
template <class Real>
QuadraticPrior<Real> prior_of(const Dataset& data, const MgdOptions& options,
                              const TrainableLabels& trainable, double sigma);

/// The weights of the prior for its labels, and those of `start` for others.
template <class Real>
Matrix<Real> first_weights_of(const Model& prior, const TrainableLabels& trainable,
                              Matrix<Real> start);

/// Completes the contents of a model that was trained with a prior: labels that were not trained,
/// and weights of absent features, are those of the prior, and its rows count.
template <class Real>
void describe_continued(const Dataset& data, const MgdOptions& options,
                        const MgdProblem<Real>& problem, ModelContents& contents);

}  // namespace mugrad

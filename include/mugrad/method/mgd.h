// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>
#include <mugrad/data/scaling.h>
#include <mugrad/method/method.h>
#include <mugrad/model/model.h>
#include <mugrad/objective/loss.h>
#include <mugrad/parallel/threads.h>
#include <mugrad/solver/solve.h>
#include <mugrad/transfer/transfer_matrix.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace mugrad {

/// How the equilibrium is sought.
enum class SolverKind {
  accelerated,  ///< to the same equilibrium in far fewer passes
  plain,        ///< the paper's iteration
};

/// Where the iteration starts; the equilibrium does not depend on it.
enum class Start {
  log_odds,  ///< zero weights, intercepts at each label's log-odds, or rate under squared loss
  zero,
  random,  ///< normal, under the seed
};

enum class Precision { single_precision, double_precision };

std::string_view to_string(SolverKind solver);
std::string_view to_string(Start start);
std::string_view to_string(Precision precision);
/// Throw UsageError listing the names there are.
SolverKind solver_named(std::string_view name);
Start start_named(std::string_view name);
Precision precision_named(std::string_view name);

/// Multi-task gradient descent for multi-label data: one linear task per label, equations (1) to
/// (3), each borrowing from the labels it is related to, equation (6); by default those it occurs
/// with, equation (15). Labels that are not known of an example count for no loss, and as no
/// occurrence of the label.
struct MgdOptions {
  /// Scores are probabilities under the logistic loss, linear scores under the squared one.
  LossKind loss = LossKind::logistic;
  double rho = 0.01;          ///< L2 strength, per example; >= 0
  double l1 = 0;              ///< strength of the smoothed L1; >= 0
  double l1_sharpness = 100;  ///< of the smoothed L1; solving takes longer as it grows
  /// What the loss of positive examples is multiplied by; > 0.
  double positive_weight = 1;
  /// The same, one per label; empty: positive_weight for all.
  std::vector<double> positive_weights = {};
  double sigma = 0.1;                          ///< transfer strength; 0 trains every label alone
  std::vector<double> sigma_per_label = {};    ///< one strength per label instead of `sigma`
  Similarity similarity = Similarity::cosine;  ///< which labels borrow from which, and how much
  std::optional<Index> neighbours = {};  ///< borrow from the so many most similar labels alone
  /// A row-stochastic matrix over all labels instead of the similarity (read_transfer reads one).
  std::optional<TransferMatrix> transfer = {};
  bool transfer_intercept = false;  ///< true reproduces the paper
  ScalingKind scaling = ScalingKind::zscore;
  SolverKind solver = SolverKind::accelerated;
  /// Step of the plain iteration; none: 0.95 of the largest step proven safe.
  std::optional<double> alpha = {};
  /// Stop when the residual (11) is at most this times its first value; 0: when the iterations end,
  /// or rounding lets the accelerated solver gain no more.
  double tolerance = 1e-4;
  Index max_iterations = 10000;
  Start start = Start::log_odds;
  /// A model to start from instead: of the same features and labels, and of this loss. Its scaling
  /// may be another, unless one has rows of unit length and the other has not. The tolerance stays
  /// relative to the residual of `start`, so that a model that is good enough is left as it is.
  std::shared_ptr<const Model> initial = {};
  double start_deviation = 0.01;  ///< of a random start
  std::uint64_t seed = 1;         ///< of a random start
  Precision precision = Precision::single_precision;
  /// Stored in the model: a label is predicted at this score.
  double threshold = 0.5;
  Threads threads = {};  ///< never changes the model
};

/// What the paper ran: step 0.02, 1000 plain iterations from zero, z-scores, intercepts
/// transferred. rho, sigma and the rest stay as they are.
MgdOptions with_paper_preset(MgdOptions options = {});
/// The options in which that differs from the rest, by name.
OptionValues paper_preset();

/// Options by name, as text; what is not given is as it is. Throws UsageError, see Method::fit.
MgdOptions mgd_options(const OptionValues& values);

/// Trains a model. `progress` may be null.
/// Throws UsageError for options out of range, InputError for data that cannot be trained on,
/// DivergenceError, and InterruptedError when `progress` stops the run.
Model fit(const Dataset& data, const MgdOptions& options = {}, Progress* progress = nullptr);

}  // namespace mugrad

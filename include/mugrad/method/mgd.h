// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>
#include <mugrad/data/representation.h>
#include <mugrad/method/method.h>
#include <mugrad/model/model.h>
#include <mugrad/objective/linear_tasks.h>
#include <mugrad/parallel/thread_pool.h>
#include <mugrad/solver/solve.h>
#include <mugrad/transfer/transfer_matrix.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad {

/// How the equilibrium is computed.
enum class SolverKind {
  accelerated,  ///< finds the same equilibrium in far fewer passes
  plain,        ///< the paper's iteration
};

/// Where the iteration starts; the equilibrium does not depend on it.
enum class Start {
  log_odds,  ///< zero weights; intercepts at the log-odds, or at the rate for squared loss
  zero,
  random,  ///< normal, from the seed
};

enum class Precision { single_precision, double_precision };

std::string_view to_string(SolverKind solver);
std::string_view to_string(Start start);
std::string_view to_string(Precision precision);
/// Throw UsageError listing the valid names.
SolverKind solver_named(std::string_view name);
Start start_named(std::string_view name);
Precision precision_named(std::string_view name);

/// Multi-task gradient descent for multi-label data: one linear task per label, equations (1) to
/// (3). Each label borrows weights from related labels, equation (6); by default from those it
/// occurs with, equation (15). Learned relations take two solves: every label alone, then all
/// together, starting from the first result. An unknown label of an example adds no loss and does
/// not count as an occurrence.
struct MgdOptions {
  /// Scores are probabilities under the logistic loss, and linear under the squared loss.
  LossKind loss = LossKind::logistic;
  double rho = 0.01;          ///< L2 strength, per example; >= 0
  double l1 = 0;              ///< strength of the smoothed L1; >= 0
  double l1_sharpness = 100;  ///< of the smoothed L1; larger values take longer to solve
  /// Factor of the loss of positive examples; > 0.
  double positive_weight = 1;
  /// The same, one per label; empty: positive_weight for all.
  std::vector<double> positive_weights = {};
  double sigma = 0.1;  ///< transfer strength; 0 trains every label alone
  /// The transfer strength as a multiple of rho, instead of `sigma`.
  std::optional<double> sigma_ratio = {};
  std::vector<double> sigma_per_label = {};    ///< one strength per label instead of `sigma`
  Similarity similarity = Similarity::cosine;  ///< which labels borrow from which, and how much
  /// Borrow only from this many most similar labels; default: all, or kLearnedNeighbours. If the
  /// similarity is learned, also from labels that have this one among theirs.
  std::optional<Index> neighbours = {};
  /// A row-stochastic matrix over all labels, instead of the similarity; see read_transfer.
  std::optional<TransferMatrix> transfer = {};
  bool transfer_intercept = false;  ///< true reproduces the paper
  RepresentationKind representation = RepresentationKind::zscore;
  GaussianOptions gaussian = {};  ///< if features are Gaussian
  double text_weight = 1;         ///< share of a text relative to other features
  SolverKind solver = SolverKind::accelerated;
  /// Step of the plain iteration; default: 0.95 of the largest step proven safe.
  std::optional<double> alpha = {};
  /// Stop when the residual (11) is at most this times its initial value. 0: run until the
  /// iteration limit, or until rounding stops the progress of the accelerated solver.
  double tolerance = 1e-4;
  Index max_iterations = 10000;
  Start start = Start::log_odds;
  /// A model to start from, with the same features, labels and loss. Its representation may differ
  /// if neither scales rows to one length. The tolerance remains relative to the residual of
  /// `start`, so a model that is already accurate enough is not changed.
  std::shared_ptr<const Model> initial = {};
  double start_deviation = 0.01;  ///< of a random start
  std::uint64_t seed = 1;  ///< of a random start, of folds for predicted similarities, of centres
  Precision precision = Precision::single_precision;
  /// Stored in the model: predict labels that score at least this.
  double threshold = 0.5;
  Threads threads = {};  ///< never changes the model
};

/// The transfer strength: sigma, or sigma_ratio times rho. Strengths per label are not included.
double transfer_strength(const MgdOptions& options) noexcept;

/// The settings of the paper: step 0.02, 1000 plain iterations from zero, z-scores, transferred
/// intercepts. Does not change rho, sigma and the other options.
MgdOptions with_paper_preset(MgdOptions options = {});
/// The options that the preset sets, by name.
OptionValues paper_preset();

/// Options by name, as text; others keep their defaults. Throws UsageError, see Method::fit.
MgdOptions mgd_options(const OptionValues& values);

/// Trains a model. `progress` may be null.
/// Throws UsageError for options out of range, InputError for unsuitable data, DivergenceError, and
/// InterruptedError if `progress` stops the run.
Model fit(const Dataset& data, const MgdOptions& options = {}, Progress* progress = nullptr);

/// One setting of a path.
struct MgdSetting {
  double rho = 0;
  double sigma = 0;

  bool operator==(const MgdSetting&) const = default;
};

/// Trains a model for each setting on the same data, much faster than one by one: shared
/// computations are done once, and each run starts from its neighbour's result. Tolerances are
/// relative to the same start as in `fit`, so each converged model is as accurate as if trained
/// alone. The plain solver starts anew for each setting. rho and sigma of the options are not used.
///
/// `visit` receives the models as they are found, from the largest rho to the smallest, and returns
/// false to end the path. `progress`, which may be null, receives the share of the path that is
/// done. Throws what `fit` throws, and UsageError without settings or with one strength per label.
void fit_path(const Dataset& data, const MgdOptions& options, std::span<const MgdSetting> settings,
              const std::function<bool(const MgdSetting&, const Model&)>& visit,
              Progress* progress = nullptr);
/// The same for every pair of the rhos and sigmas.
void fit_path(const Dataset& data, const MgdOptions& options, std::span<const double> rhos,
              std::span<const double> sigmas,
              const std::function<bool(const MgdSetting&, const Model&)>& visit,
              Progress* progress = nullptr);

/// Reads a transfer matrix Mbar for tasks with these names from a CSV file: either T lines of T
/// numbers, or the output of `mugrad info --relations` (label,borrows_from,strength), where the
/// diagonal is what remains of 1. Throws InputError naming file and line, or the row and the value
/// that violate row-stochasticity.
TransferMatrix read_transfer(const std::filesystem::path& path,
                             const std::vector<std::string>& names);

}  // namespace mugrad

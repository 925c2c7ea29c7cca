// SPDX-License-Identifier: MIT
#include "mpi/rank_training.h"

#include "core/stages.h"
#include "method/common/gaussian_training.h"
#include "method/common/outcome.h"
#include "method/mgd/learned_similarity.h"
#include "method/mgd/mgd_options.h"
#include "mpi/learned_relations.h"
#include "mpi/moved_rows.h"
#include "mpi/rounds.h"
#include "mpi/work_clock.h"

#include <mugrad/core/error.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

namespace mugrad::mpi {
namespace {

/// One solve on all ranks, from the problem to its solution.
template <class Real>
class RankSolve {
 public:
  RankSolve(SharedRun& run, DataPart& part, const MgdOptions& options, const StageOptions& stage)
      : run_(run), grid_(run.grid), options_(options), stage_(stage) {
    const double started = processor_seconds();
    solution_.problem = std::make_unique<RankProblem<Real>>(grid_, part, options);
    if (stage.releases_features) release_features(part);
    solution_.representation = problem().representation();
    if (has_tasks()) problem().tasks().shared_curvature();
    solution_.costs.setup_seconds = processor_seconds() - started;
    if (run.checkpoints == nullptr || !stage.has_checkpoints) return;
    checkpoints_.emplace(*run.checkpoints, stage.name, problem().trainable().labels().cols,
                         problem().share().own);
  }

  /// Starts from an earlier solution for the same labels, if there is one.
  RankSolution<Real> finish(std::optional<RankSolution<Real>> earlier = {}) {
    solution_.weights = problem().start();
    if (problem().trainable().labels().cols > 0) solve(std::move(earlier));
    return std::move(solution_);
  }

 private:
  RankProblem<Real>& problem() noexcept { return *solution_.problem; }
  bool has_tasks() { return !problem().share().own.empty(); }

  void solve(std::optional<RankSolution<Real>> earlier) {
    const Resumption from = first_weights(std::move(earlier));
    const Index summed_before = grid_.rows.summed_bytes();
    const AfterRound<Real> after = [this](const Resumption& state, const Matrix<Real>& now) {
      if (checkpoints_ && agreed(checkpoints_->is_due()) && grid_.writes()) {
        checkpoints_->write(state, now);
      }
    };
    const Stopping stopping{.tolerance = options_.tolerance,
                            .reference_residual = from.first_residual,
                            .max_iterations = options_.max_iterations};
    auto rounds = run_rounds<Real>(grid_.labels, problem().share(), problem().tasks(),
                                   problem().sigma(), problem().intercepts(), solution_.weights,
                                   stopping, from, stage_.progress, after, problem().pool());
    SolveCosts& costs = solution_.costs;
    costs.rounds = rounds.rounds;
    costs.traffic = rounds.traffic;
    // Ranks with other rows of the same labels receive the same columns.
    costs.traffic.bytes_per_exchange = grid_.rows.sum(rounds.traffic.bytes_per_exchange);
    costs.traffic.bytes = grid_.rows.sum(rounds.traffic.bytes);
    costs.summed_bytes = grid_.rows.summed_bytes() - summed_before;
    MgdOutcome outcome{
        .solve = rounds.solve, .fixed_step = {}, .total_loss = rounds.total_loss, .warnings = {}};
    throw_unless_done(outcome, options_);
    warn_of_stall(options_.tolerance, options_.precision == Precision::single_precision,
                  outcome.solve, outcome.warnings);
    solution_.outcome = std::move(outcome);
  }

  /// Finds the weights to start from, and what is known about them.
  Resumption first_weights(std::optional<RankSolution<Real>> earlier) {
    std::optional<Resumption> resumed;
    if (checkpoints_) resumed = checkpoints_->load(solution_.weights);
    if (resumed) {
      run_.resumed_at = resumed->round;
      return *resumed;
    }
    if (!earlier) return {};
    // The tolerance stays relative to the residual of the usual start.
    const double reference =
        residual_of<Real>(grid_.labels, problem().share(), problem().tasks(), problem().sigma(),
                          problem().intercepts(), solution_.weights, problem().pool());
    const Share& share = problem().share();
    const auto moved = moved_rows(grid_.labels, earlier->problem->share().own, earlier->weights,
                                  share.rank_of, share.own);
    std::ranges::copy(moved.values(), solution_.weights.values().begin());
    return {.first_residual = reference};
  }

  /// The decision of the first rank, because clocks differ.
  bool agreed(bool mine) const {
    int flag = mine ? 1 : 0;
    MPI_Bcast(&flag, 1, MPI_INT, 0, grid_.all.handle());
    return flag != 0;
  }

  SharedRun& run_;
  const Grid& grid_;
  const MgdOptions& options_;
  const StageOptions& stage_;
  RankSolution<Real> solution_;
  std::optional<Checkpoints<Real>> checkpoints_;
};

bool borrows(const MgdOptions& options) {
  return options.sigma_per_label.empty() ? transfer_strength(options) > 0
                                         : std::ranges::max(options.sigma_per_label) > 0;
}

/// Trains every label alone, learns the relations, and trains all labels together.
template <class Real>
class LearnedRelations {
 public:
  LearnedRelations(SharedRun& run, DataPart& part, const MgdOptions& options,
                   const StageOptions& stage)
      : run_(run),
        part_(part),
        options_(options),
        stage_(stage),
        stages_(stage.progress, Stages::Iterates::passed_on) {}

  RankSolution<Real> finish() {
    std::optional<RankSolution<Real>> alone;
    if (!restore()) {
      alone = train_alone();
      if (!alone->outcome) return std::move(*alone);
      learn(*alone);
    }
    stages_.enter(0.5, 1);
    StageOptions together = stage_;
    together.progress = &stages_;
    auto solution = RankSolve<Real>(run_, part_, options_, together).finish(std::move(alone));
    if (solution.outcome) solution.outcome->solve.passes += passes_alone_ + 1;
    return solution;
  }

 private:
  using Kept = CheckpointFolder::Kept;
  bool has_checkpoints() const { return run_.checkpoints != nullptr && stage_.has_checkpoints; }

  RankSolution<Real> train_alone() {
    const bool predicts = options_.similarity == Similarity::predicted;
    stages_.enter(0, predicts ? 0.2 : 0.5);
    StageOptions stage = stage_;
    stage.name += ", labels alone";
    stage.releases_features = false;
    stage.progress = &stages_;
    const MgdOptions alone = options_alone(options_);
    auto solution = RankSolve<Real>(run_, part_, alone, stage).finish();
    stages_.enter(0.2, 0.5);
    return solution;
  }

  void learn(const RankSolution<Real>& alone) {
    const auto similarity = learned_similarity(run_, part_, options_, alone, &stages_);
    passes_alone_ = alone.outcome->solve.passes;
    alone.problem->release_tasks();
    // In the order of all labels, as a matrix that is given.
    options_.transfer =
        TransferMatrix{.mbar = alone.trainable().widened(transfer_from(similarity).mbar)};
    if (!has_checkpoints()) return;
    const auto& mbar = options_.transfer->mbar;
    std::string bytes;
    const auto put = [&](const auto& numbers) {
      bytes.append(reinterpret_cast<const char*>(numbers.data()), std::span(numbers).size_bytes());
    };
    put(mbar.row_start);
    put(mbar.column);
    put(mbar.value);
    run_.checkpoints->keep(Kept::relations, stage_.name, passes_alone_, bytes);
  }

  /// Whether the relations are in the checkpoint.
  bool restore() {
    if (!has_checkpoints()) return false;
    const auto kept = run_.checkpoints->kept(Kept::relations, stage_.name);
    if (!kept) return false;
    CsrMatrix<double> mbar{.cols = part_.data.labels()};
    if (run_.grid.all.is_first()) {
      mbar.row_start.resize(as_size(mbar.cols + 1));
      std::string_view rest = kept->bytes;
      const auto take = [&](auto& numbers) {
        const auto into = std::as_writable_bytes(std::span(numbers));
        if (rest.size() < into.size()) {
          throw InputError("the relations of the checkpoint are damaged: remove it");
        }
        std::memcpy(into.data(), rest.data(), into.size());
        rest.remove_prefix(into.size());
      };
      take(mbar.row_start);
      mbar.column.resize(as_size(std::max<Index>(0, mbar.row_start.back())));
      mbar.value.resize(mbar.column.size());
      take(mbar.column);
      take(mbar.value);
    }
    run_.grid.all.share(mbar.row_start);
    run_.grid.all.share(mbar.column);
    run_.grid.all.share(mbar.value);
    options_.transfer = TransferMatrix{.mbar = std::move(mbar)};
    passes_alone_ = kept->done;
    return true;
  }

  SharedRun& run_;
  DataPart& part_;
  MgdOptions options_;  ///< with the relations, once they are learned
  const StageOptions& stage_;
  Stages stages_;
  Index passes_alone_ = 0;
};

/// Represents the rows, which every rank has, and trains on them as they are.
template <class Real>
RankSolution<Real> fit_gaussian_on_ranks(SharedRun& run, DataPart& part, const MgdOptions& options,
                                         const StageOptions& stage) {
  check_options(options);
  check_trainable(part.data);
  const double started = processor_seconds();
  GaussianData gaussian(part.data, gaussian_request(options), nullptr);
  DataPart represented{.data = std::move(gaussian.data),
                       .whole = part.whole,
                       .starts = part.starts,
                       .number = part.number,
                       .order = part.order};
  if (stage.releases_features) release_features(part);
  StageOptions inner = stage;
  inner.releases_features = true;
  const double seconds = processor_seconds() - started;
  auto solution = fit_on_ranks<Real>(run, represented, as_represented(options), inner);
  solution.representation = std::move(gaussian.representation);
  solution.costs.setup_seconds += seconds;
  return solution;
}

}  // namespace

template <class Real>
RankSolution<Real> fit_on_ranks(SharedRun& run, DataPart& part, const MgdOptions& options,
                                const StageOptions& stage) {
  if (is_gaussian(options)) {
    return fit_gaussian_on_ranks<Real>(run, part, options, stage);
  }
  if (learns_relations(options) && borrows(options)) {
    return LearnedRelations<Real>(run, part, options, stage).finish();
  }
  return RankSolve<Real>(run, part, options, stage).finish();
}

template decltype(fit_on_ranks<float>) fit_on_ranks<float>;
template decltype(fit_on_ranks<double>) fit_on_ranks<double>;

}  // namespace mugrad::mpi

// SPDX-License-Identifier: MIT
#include "mpi/stages/rank_training.h"

#include "core/stages.h"
#include "method/common/gaussian_training.h"
#include "method/common/outcome.h"
#include "method/mgd/learned_similarity.h"
#include "method/mgd/mgd_options.h"
#include "mpi/rounds.h"
#include "mpi/stages/learned_relations.h"
#include "mpi/stages/moved_rows.h"
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
    if (stage.releases_rows) release_rows(part);
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

std::string bytes_of(const CsrMatrix<double>& matrix) {
  std::string bytes;
  const auto put = [&](const auto& numbers) {
    bytes.append(reinterpret_cast<const char*>(numbers.data()), std::span(numbers).size_bytes());
  };
  put(matrix.row_start);
  put(matrix.column);
  put(matrix.value);
  return bytes;
}

/// The square matrix of these bytes. Throws InputError if they are damaged.
CsrMatrix<double> matrix_in(std::string_view bytes, Index size) {
  const auto check = [](bool holds) {
    if (!holds) throw InputError("the relations of the checkpoint are damaged: remove it");
  };
  const auto take = [&](auto& numbers) {
    const auto into = std::as_writable_bytes(std::span(numbers));
    check(bytes.size() >= into.size());
    std::memcpy(into.data(), bytes.data(), into.size());
    bytes.remove_prefix(into.size());
  };
  CsrMatrix<double> matrix{.cols = size};
  matrix.row_start.resize(as_size(size + 1));
  take(matrix.row_start);
  const auto entries = bytes.size() / (sizeof(LabelId) + sizeof(double));
  check(matrix.row_start.front() == 0 && std::ranges::is_sorted(matrix.row_start) &&
        matrix.row_start.back() == as_index(entries));
  matrix.column.resize(entries);
  matrix.value.resize(entries);
  take(matrix.column);
  take(matrix.value);
  check(std::ranges::all_of(matrix.column,
                            [&](LabelId column) { return column >= 0 && column < size; }));
  return matrix;
}

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
    stage.releases_rows = false;
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
    run_.checkpoints->keep(Kept::relations, stage_.name, passes_alone_,
                           bytes_of(options_.transfer->mbar));
  }

  /// Whether the relations are in the checkpoint.
  bool restore() {
    if (!has_checkpoints()) return false;
    const auto kept = run_.checkpoints->kept(Kept::relations, stage_.name);
    if (!kept) return false;
    CsrMatrix<double> mbar{.cols = part_.data.labels()};
    if (run_.grid.all.is_first()) mbar = matrix_in(kept->bytes, mbar.cols);
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
  check_representable(options.representation, part.data.term_blocks);
  const double started = processor_seconds();
  GaussianData gaussian(part.data, gaussian_request(options), nullptr);
  DataPart represented{.data = std::move(gaussian.data),
                       .whole = part.whole,
                       .starts = part.starts,
                       .number = part.number,
                       .order = part.order};
  if (stage.releases_rows) release_rows(part);
  StageOptions inner = stage;
  inner.releases_rows = true;
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

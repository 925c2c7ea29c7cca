// SPDX-License-Identifier: MIT
#include "core/stages.h"
#include "data/suspicious_columns.h"
#include "linalg/pass/instruction_set.h"
#include "method/mgd/mgd_options.h"
#include "method/mgd/mgd_problem.h"
#include "method/mgd/mgd_solution.h"
#include "mpi/agreement.h"
#include "mpi/checkpoints.h"
#include "mpi/communicator.h"
#include "mpi/model_writer.h"
#include "mpi/ranks_progress.h"
#include "mpi/stages/rank_decisions.h"
#include "mpi/stages/rank_training.h"
#include "mpi/work_clock.h"

#include <mugrad/core/error.h>
#include <mugrad/core/option_text.h>
#include <mugrad/linalg/sparse_matrix.h>
#include <mugrad/mpi/train.h>

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>

namespace mugrad::mpi {
namespace {

Index peak_memory() {
  constexpr Index kUnit = 1024;
  rusage used = {};
  return getrusage(RUSAGE_SELF, &used) == 0 ? kUnit * used.ru_maxrss : 0;
}

/// FNV-1a.
std::uint64_t hash_of(std::span<const Index> numbers) noexcept {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const Index number : numbers) {
    for (int shift = 0; shift < 64; shift += 8) {
      hash = (hash ^ ((static_cast<std::uint64_t>(number) >> shift) & 0xff)) * 0x100000001b3;
    }
  }
  return hash;
}

/// Identifies the data, the options and the inner folds, independently of the ranks.
std::string fingerprint(const Grid& grid, const DataPart& part, const MgdOptions& mgd,
                        const TuneOptions& tuning) {
  auto options = as_text(mgd);
  // These options affect when to stop, not the solution.
  options.erase("tolerance");
  options.erase("iterations");
  std::string text;
  for (const auto& [name, value] : options) text += fmt::format("{}={} ", name, value);
  if (needs_inner_folds(part, tuning)) {
    const InnerProtocol& inner = tuning.inner;
    text += fmt::format("folds={} of {} train={} stratified={} fold-seed={} calibrate={} ",
                        splits_to_decide(part.whole.rows(), tuning), inner.folds, inner.train,
                        inner.stratified, inner.seed, tuning.calibrate);
  }
  return text + fmt::format("rows={} features={} labels={:016x} data={:016x}", part.whole.rows(),
                            part.data.features(), hash_of(column_counts(part.whole.y)),
                            grid.rows.sum_modulo(hash_of_rows(part.data)));
}

/// Writes the model of a solution with all ranks that have the first rows.
template <class Real>
void save(const Grid& grid, ModelContents contents, const RankSolution<Real>& solution,
          LossKind loss, const std::filesystem::path& target) {
  const RankProblem<Real>& problem = *solution.problem;
  const TrainableLabels& trainable = solution.trainable();
  const auto& own = problem.share().own;
  std::vector<double> mine;
  std::vector<LabelId> columns;  // in the model, which has all labels
  for (std::size_t k = 0; k < own.size(); ++k) {
    mine.push_back(static_cast<double>(solution.weights(as_index(k), 0)));
    columns.push_back(trainable.original()[as_size(own[k])]);
  }
  const auto values = grid.labels.gather(std::span<const double>(mine));
  const auto labels = grid.labels.gather(std::span<const LabelId>(own));
  std::vector<double> trained(values.size());
  for (std::size_t k = 0; k < labels.size(); ++k) trained[as_size(labels[k])] = values[k];
  contents.intercepts = trainable.intercepts<double>(trained, loss);
  const Index count = std::ssize(contents.intercepts);
  RelationsRow row;
  if (problem.exchange() == Exchange::sums) {
    contents.relations = {
        .cols = count, .row_start = problem.relations_start(), .column = {}, .value = {}};
    row = problem.relations_row();
  }
  write_model<Real>(grid.labels, contents, count, columns, solution.weights, row, target);
}

/// Results and costs of the training on all rows. Every rank must call it.
template <class Real>
SharedTraining summary(const SharedRun& run, const RankSolution<Real>& solution,
                       double setup_seconds) {
  const Communicator& all = run.grid.all;
  const RankProblem<Real>& problem = *solution.problem;
  const SolveCosts& costs = solution.costs;
  const Index peak = peak_memory();
  return {.rounds = costs.rounds,
          .resumed_at = run.resumed_at,
          .groups = problem.groups(),
          .exchange = problem.exchange(),
          .exchanged_columns = run.grid.rows.size() * problem.exchanged_columns(),
          .bytes_per_exchange = costs.traffic.bytes_per_exchange,
          .exchanges = costs.traffic.exchanges,
          .bytes = costs.traffic.bytes,
          .gradients = costs.traffic.gradients,
          .summed_bytes = all.sum(costs.summed_bytes),
          .peak_bytes = all.gather(std::span<const Index>(&peak, 1)),
          .setup_seconds = all.gather(std::span<const double>(&setup_seconds, 1)),
          .work_seconds = all.gather(std::span<const double>(&costs.traffic.work_seconds, 1))};
}

/// What the model knows of the rows of all ranks. Every rank must call it.
struct RowFacts {
  RowSample sample;
  std::vector<std::string> warnings;  ///< if every rank has all rows

  RowFacts(const Grid& grid, const Dataset& data) {
    const RowSample own = sample_of(data.x);
    sample = merged({.hash = grid.rows.gather(std::span<const Index>(own.hash)),
                     .count = grid.rows.gather(std::span<const Index>(own.count))},
                    {});
    if (grid.rows.size() == 1) warnings = suspicious_columns(data);
  }
};

/// Decides by inner folds, trains on all rows and writes the model.
template <class Real>
SharedTraining train_and_save(SharedRun& run, DataPart& part, const MgdOptions& options,
                              const TuneOptions& tuning, const std::filesystem::path& target,
                              Progress* progress) {
  const double reading_seconds = processor_seconds();
  Stages stages(progress, Stages::Iterates::passed_on);
  RankDecisions decisions;
  if (needs_inner_folds(part, tuning)) {
    const double folds = share_of_deciding(part.whole.rows(), tuning);
    stages.enter(0, folds);
    decisions = decide_by_inner_folds<Real>(run, part, options, tuning, &stages);
    stages.enter(folds, 1);
  }
  RowFacts rows(run.grid, part.data);
  const auto solution = fit_on_ranks<Real>(
      run, part, options, {.name = "all rows", .releases_rows = true, .progress = &stages});
  const TrainableLabels& trainable = solution.trainable();
  auto contents =
      described(part.data, trainable.labels().rows(), options, trainable, solution.representation,
                solution.problem->relations(), solution.outcome ? &*solution.outcome : nullptr);
  apply(decisions.values, contents);
  if (!decisions.warning.empty()) contents.report.warnings.push_back(decisions.warning);
  contents.trained_on = std::move(rows.sample);
  std::ranges::move(rows.warnings, std::back_inserter(contents.report.warnings));
  const TrainingReport report = contents.report;
  if (run.grid.writes()) save(run.grid, std::move(contents), solution, options.loss, target);
  MPI_Barrier(run.grid.all.handle());
  if (run.checkpoints != nullptr) run.checkpoints->remove();
  auto result = summary(run, solution, reading_seconds + solution.costs.setup_seconds);
  result.labels = part.data.labels();
  result.features = part.data.features();
  result.report = report;
  result.thresholds = std::move(decisions.values.thresholds);
  result.is_calibrated = !decisions.values.calibration.is_empty();
  return result;
}

void check(const World& world, const SharingOptions& sharing) {
  if (sharing.row_shards < 1 || world.size() % sharing.row_shards != 0) {
    throw UsageError(
        fmt::format("the number of row shards must divide that of the ranks, {}; got {}",
                    world.size(), sharing.row_shards));
  }
  if (!(sharing.checkpoint_seconds >= 0)) {
    throw UsageError(fmt::format("the seconds between checkpoints must be >= 0, got {}",
                                 sharing.checkpoint_seconds));
  }
}

void check(const MgdOptions& options, int row_shards) {
  if (options.solver == SolverKind::plain) {
    throw UsageError("the plain solver runs in one process; use the accelerated one on many ranks");
  }
  if (row_shards > 1 && options.representation == RepresentationKind::gaussian) {
    throw UsageError(fmt::format("Gaussian features need all examples on every rank: use {}",
                                 option_text(Option::row_shards, "1")));
  }
  if (options.initial) throw UsageError("training under mpirun cannot start from a model");
}

}  // namespace

std::string_view to_string(Exchange exchange) {
  switch (exchange) {
    case Exchange::none:
      return "none";
    case Exchange::columns:
      return "columns";
    case Exchange::sums:
      return "sums";
  }
  return "";
}

SharedTraining train(const World& world, const std::filesystem::path& data,
                     const ReadOptions& reading,
                     const std::function<MgdOptions(const Dataset&)>& choose,
                     const TuneOptions& tuning, const SharingOptions& sharing,
                     const std::filesystem::path& model, Progress* progress) {
  check(world, sharing);
  const Grid grid(world.communicator(), sharing.row_shards);
  check_same_kernels(grid.rows, instruction_set());
  DataPart part = read_part(grid.rows, data, reading);
  const MgdOptions options = choose(part.data);
  check(options, sharing.row_shards);
  validate(options, part.data);
  std::optional<CheckpointFolder> checkpoints;
  if (!sharing.checkpoint.empty()) {
    checkpoints.emplace(grid, sharing.checkpoint, fingerprint(grid, part, options, tuning),
                        sharing.checkpoint_seconds);
  }
  SharedRun run{.grid = grid, .checkpoints = checkpoints ? &*checkpoints : nullptr};
  // The ranks that share rows with the first one forward its answers to those with their rows.
  FirstRanksProgress shared(grid.rows, progress);
  Progress* const told = grid.labels.is_first() ? &shared : nullptr;
  return options.precision == Precision::double_precision
             ? train_and_save<double>(run, part, options, tuning, model, told)
             : train_and_save<float>(run, part, options, tuning, model, told);
}

}  // namespace mugrad::mpi

// SPDX-License-Identifier: MIT
#include "linalg/pass/instruction_set.h"
#include "method/common/outcome.h"
#include "method/mgd/mgd_problem.h"
#include "method/mgd/mgd_solution.h"
#include "mpi/agreement.h"
#include "mpi/checkpoints.h"
#include "mpi/communicator.h"
#include "mpi/model_writer.h"
#include "mpi/rank_problem.h"
#include "mpi/ranks_progress.h"
#include "mpi/rounds.h"
#include "mpi/work_clock.h"

#include <mugrad/core/error.h>
#include <mugrad/mpi/train.h>

#include <fmt/format.h>
#include <sys/resource.h>

#include <optional>

namespace mugrad::mpi {
namespace {

Index peak_memory() {
  constexpr Index kUnit = 1024;
  rusage used = {};
  return getrusage(RUSAGE_SELF, &used) == 0 ? kUnit * used.ru_maxrss : 0;
}

/// Training on one rank, from its part of the data to its part of the model.
template <class Real>
class Training {
 public:
  Training(const Grid& grid, DataPart& part, const MgdOptions& options,
           const SharingOptions& sharing)
      : grid_(grid),
        part_(part),
        options_(options),
        rows_hash_(sharing.checkpoint.empty() ? 0 : grid.rows.sum_modulo(hash_of_rows(part.data))),
        problem_(grid, part, options) {
    if (sharing.checkpoint.empty()) return;
    checkpoints_.emplace(grid, sharing.checkpoint,
                         fmt::format("{} data={:016x}", problem_.fingerprint(), rows_hash_),
                         problem_.trainable().labels().cols, problem_.share().own,
                         sharing.checkpoint_seconds);
  }

  SharedTraining run(const std::filesystem::path& target, Progress* progress) {
    Matrix<Real> weights = problem_.start();
    SharedTraining result{.labels = part_.data.labels(),
                          .features = part_.data.features(),
                          .report = {},
                          .groups = problem_.groups(),
                          .exchange = problem_.exchange(),
                          .exchanged_columns = grid_.rows.size() * problem_.exchanged_columns()};
    std::optional<MgdOutcome> outcome;
    if (problem_.trainable().labels().cols > 0) outcome = solve(weights, progress, result);
    auto contents =
        described(part_.data, problem_.trainable().labels().rows(), options_, problem_.trainable(),
                  problem_.representation(), problem_.relations(), outcome ? &*outcome : nullptr);
    result.report = contents.report;
    if (grid_.writes()) save(std::move(contents), weights, target);
    MPI_Barrier(grid_.all.handle());
    if (checkpoints_ && grid_.writes()) checkpoints_->remove();
    result.summed_bytes = grid_.all.sum(summed_bytes_);
    result.setup_seconds = grid_.all.gather(std::span<const double>(&setup_seconds_, 1));
    result.work_seconds = grid_.all.gather(std::span<const double>(&work_seconds_, 1));
    const Index peak = peak_memory();
    result.peak_bytes = grid_.all.gather(std::span<const Index>(&peak, 1));
    return result;
  }

 private:
  MgdOutcome solve(Matrix<Real>& weights, Progress* progress, SharedTraining& result) {
    if (!problem_.share().own.empty()) problem_.tasks().shared_curvature();
    setup_seconds_ = processor_seconds();
    const Index summed_before = grid_.rows.summed_bytes();
    Resumption from;
    if (checkpoints_) from = checkpoints_->load(weights).value_or(Resumption{});
    result.resumed_at = from.round;
    const AfterRound<Real> after = [this](const Resumption& state, const Matrix<Real>& now) {
      if (checkpoints_ && agreed(checkpoints_->is_due()) && grid_.writes()) {
        checkpoints_->write(state, now);
      }
    };
    const Stopping stopping{.tolerance = options_.tolerance,
                            .reference_residual = from.first_residual,
                            .max_iterations = options_.max_iterations};
    const auto rounds = run_rounds<Real>(grid_.labels, problem_.share(), problem_.tasks(),
                                         problem_.sigma(), problem_.intercepts(), weights, stopping,
                                         from, progress, after, problem_.pool());
    result.rounds = rounds.rounds;
    result.exchanges = rounds.traffic.exchanges;
    result.gradients = rounds.traffic.gradients;
    work_seconds_ = rounds.traffic.work_seconds;
    summed_bytes_ = grid_.rows.summed_bytes() - summed_before;
    // Ranks with other rows of the same labels receive the same columns.
    result.bytes_per_exchange = grid_.rows.sum(rounds.traffic.bytes_per_exchange);
    result.bytes = grid_.rows.sum(rounds.traffic.bytes);
    MgdOutcome outcome{
        .solve = rounds.solve, .fixed_step = {}, .total_loss = rounds.total_loss, .warnings = {}};
    throw_unless_done(outcome, options_);
    warn_of_stall(options_.tolerance, options_.precision == Precision::single_precision,
                  outcome.solve, outcome.warnings);
    return outcome;
  }

  /// The decision of the first rank, because clocks differ.
  bool agreed(bool mine) const {
    int flag = mine ? 1 : 0;
    MPI_Bcast(&flag, 1, MPI_INT, 0, grid_.all.handle());
    return flag != 0;
  }

  void save(ModelContents contents, const Matrix<Real>& weights,
            const std::filesystem::path& target) {
    const auto& own = problem_.share().own;
    std::vector<double> mine;
    std::vector<LabelId> columns;  // in the model, which has all labels
    for (std::size_t k = 0; k < own.size(); ++k) {
      mine.push_back(static_cast<double>(weights(as_index(k), 0)));
      columns.push_back(problem_.trainable().original()[as_size(own[k])]);
    }
    const auto values = grid_.labels.gather(std::span<const double>(mine));
    const auto labels = grid_.labels.gather(std::span<const LabelId>(own));
    std::vector<double> trained(values.size());
    for (std::size_t k = 0; k < labels.size(); ++k) {
      trained[as_size(labels[k])] = values[k];
    }
    contents.intercepts = problem_.trainable().template intercepts<double>(trained, options_.loss);
    RelationsRow row;
    if (problem_.exchange() == Exchange::sums) {
      contents.relations = {.cols = part_.data.labels(),
                            .row_start = problem_.relations_start(),
                            .column = {},
                            .value = {}};
      row = problem_.relations_row();
    }
    write_model<Real>(grid_.labels, contents, part_.data.labels(), columns, weights, row, target);
  }

  const Grid& grid_;
  DataPart& part_;
  const MgdOptions& options_;
  std::uint64_t rows_hash_;  ///< of all rows, for checkpoints
  RankProblem<Real> problem_;
  std::optional<Checkpoints<Real>> checkpoints_;
  double setup_seconds_ = 0;
  double work_seconds_ = 0;
  Index summed_bytes_ = 0;
};

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
                     const SharingOptions& sharing, const std::filesystem::path& model,
                     Progress* progress) {
  check(world, sharing);
  const Grid grid(world.communicator(), sharing.row_shards);
  check_same_kernels(grid.rows, instruction_set());
  DataPart part = read_part(grid.rows, data, reading);
  const MgdOptions options = choose(part.data);
  if (options.solver == SolverKind::plain) {
    throw UsageError("the plain solver runs in one process; use the accelerated one on many ranks");
  }
  if (learns_relations(options)) {
    throw UsageError(fmt::format(
        "relations that are learned ({}) are trained in one process; on many ranks, use another "
        "similarity or a matrix",
        to_string(options.similarity)));
  }
  if (options.representation == RepresentationKind::gaussian) {
    throw UsageError(
        "Gaussian features are trained in one process; on many ranks, use another representation");
  }
  if (options.initial) throw UsageError("training under mpirun cannot start from a model");
  // The ranks that share rows with the first one forward its answers to those with their rows.
  FirstRanksProgress shared(grid.rows, progress);
  Progress* const told = grid.labels.is_first() ? &shared : nullptr;
  return options.precision == Precision::double_precision
             ? Training<double>(grid, part, options, sharing).run(model, told)
             : Training<float>(grid, part, options, sharing).run(model, told);
}

}  // namespace mugrad::mpi

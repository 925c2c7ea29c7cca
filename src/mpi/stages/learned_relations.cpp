// SPDX-License-Identifier: MIT
#include "mpi/stages/learned_relations.h"

#include "core/stages.h"
#include "method/mgd/learned_similarity.h"
#include "mpi/stages/held_out.h"
#include "mpi/stages/moved_rows.h"
#include "mpi/stages/rank_cosines.h"

#include <mugrad/core/error.h>
#include <mugrad/data/splits.h>

#include <algorithm>
#include <numeric>

namespace mugrad::mpi {
namespace {

/// The labels that a rank scores and that are trainable on all rows: their numbers among these, and
/// the columns of their scores.
struct ScoredLabels {
  std::vector<LabelId> labels;
  std::vector<std::size_t> columns;
};

ScoredLabels trainable_among(const std::vector<LabelId>& scored, const TrainableLabels& trainable) {
  ScoredLabels result;
  const auto& original = trainable.original();
  for (std::size_t k = 0; k < scored.size(); ++k) {
    const auto at = std::ranges::lower_bound(original, scored[k]);
    if (at == original.end() || *at != scored[k]) continue;
    result.labels.push_back(static_cast<LabelId>(at - original.begin()));
    result.columns.push_back(k);
  }
  return result;
}

/// Trains on one fold and scores the held-out rows: for each label that this rank has in `blocks`,
/// the scores of the held-out rows of all ranks.
template <class Real>
Matrix<float> held_out_scores(SharedRun& run, const DataPart& part, Fold& fold,
                              const MgdOptions& options, const TrainableLabels& trainable,
                              const LabelBlocks& blocks, Progress* progress) {
  const auto solution = fit_on_ranks<Real>(
      run, fold.training, options,
      {.name = {}, .releases_rows = true, .has_checkpoints = false, .progress = progress});
  const OwnModel own = own_model(run.grid.labels, solution, options);
  const ScoredLabels scored = trainable_among(own.labels, trainable);
  Matrix<float> scores(std::ssize(scored.labels), std::ssize(fold.held_out_places));
  if (own.model) {
    score_rows(Scorer(*own.model, options.threads), part.data.x, fold.held_out,
               [&](std::size_t k, std::span<const double> of_row) {
                 for (Index t = 0; t < scores.rows(); ++t) {
                   scores(t, fold.first_held_out + as_index(k)) =
                       static_cast<float>(of_row[scored.columns[as_size(t)]]);
                 }
               });
  }
  run.grid.rows.sum(scores.values());  // other ranks' rows are zero here
  return moved_rows(run.grid.labels, scored.labels, scores, blocks.rank_of(),
                    blocks.labels_of(run.grid.labels.rank()));
}

/// For each label that this rank has in `blocks`, the scores of all rows by models that were
/// trained alone and without the row.
template <class Real>
Matrix<float> out_of_fold_scores(SharedRun& run, const DataPart& part, const MgdOptions& options,
                                 const TrainableLabels& trainable, const LabelBlocks& blocks,
                                 Progress* progress) {
  const MgdOptions of_fold = options_alone(options);
  Matrix<float> all(std::ssize(blocks.labels_of(run.grid.labels.rank())), part.whole.rows());
  Stages stages(progress);
  Index done = 0;
  for (const SplitRows& rows : k_fold_rows(part.whole.rows(), kPredictedFolds, options.seed)) {
    if (!all_have_rows(part, rows)) {
      throw UsageError("a rank has no training rows in a fold: use fewer row shards");
    }
    stages.enter(share_of(done, kPredictedFolds), share_of(done + 1, kPredictedFolds));
    ++done;
    Fold fold = fold_of(part, rows);
    const auto scores = held_out_scores<Real>(run, part, fold, of_fold, trainable, blocks, &stages);
    for (Index t = 0; t < all.rows(); ++t) {
      for (std::size_t k = 0; k < fold.held_out_places.size(); ++k) {
        all(t, fold.held_out_places[k]) = scores(t, as_index(k));
      }
    }
  }
  return all;
}

/// Subtracts the mean of each row: the cosines of rows are then correlations.
void centre(Matrix<float>& rows) {
  for (Index t = 0; t < rows.rows(); ++t) {
    const auto row = rows.row(t);
    const double mean =
        std::accumulate(row.begin(), row.end(), 0.0) / static_cast<double>(row.size());
    for (float& value : row) value = static_cast<float>(static_cast<double>(value) - mean);
  }
}

}  // namespace

template <class Real>
CsrMatrix<double> learned_similarity(SharedRun& run, const DataPart& part,
                                     const MgdOptions& options, const RankSolution<Real>& alone,
                                     Progress* progress) {
  const Communicator& among = run.grid.labels;
  const TrainableLabels& trainable = alone.trainable();
  const LabelBlocks blocks(trainable.labels().cols, among.size());
  const Index top = learned_neighbours(options);
  ThreadPool& pool = alone.problem->pool();
  if (options.similarity == Similarity::weights || part.whole.rows() < kPredictedFolds) {
    constexpr Index kIntercepts = 1;
    auto weights = moved_rows(among, alone.problem->share().own, alone.weights, blocks.rank_of(),
                              blocks.labels_of(among.rank()), kIntercepts);
    return strongest_cosines(among, blocks, std::move(weights), top, pool);
  }
  auto scores = out_of_fold_scores<Real>(run, part, options, trainable, blocks, progress);
  centre(scores);
  return strongest_cosines(among, blocks, std::move(scores), top, pool);
}

template decltype(learned_similarity<float>) learned_similarity<float>;
template decltype(learned_similarity<double>) learned_similarity<double>;

}  // namespace mugrad::mpi

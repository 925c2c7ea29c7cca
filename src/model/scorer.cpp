// SPDX-License-Identifier: MIT
#include "model/block_scorer.h"
#include "model/block_turns.h"
#include "model/model_layout.h"

#include <mugrad/core/memory.h>
#include <mugrad/model/scorer.h>
#include <mugrad/parallel/thread_pool.h>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace mugrad {
namespace {

/// Rows of a block: few enough for their data to stay in the second-level cache.
struct BlockRows {
  Index dense, sparse;

  Index of(const Features& x) const noexcept {
    if (!x.is_sparse()) return dense;
    // Multiplying this many entries with a panel takes imperceptible time.
    constexpr Index kMostEntries = Index{1} << 22;
    const Index per_row = x.stored() / std::max<Index>(1, x.rows());
    return std::clamp<Index>(kMostEntries / std::max<Index>(1, per_row), 1, sparse);
  }
  Index blocks(const Features& x, Index rows) const noexcept { return (rows + of(x) - 1) / of(x); }
};

HeadShape shape_of(const Model& model) {
  return {.columns = std::ssize(model.contents().intercepts),
          .labels = model.labels(),
          .features = represented_features(model.contents().representation)};
}

BlockRows block_rows(const Model& model) {
  const auto rows_of = [](Index numbers) {
    constexpr Index kNumbers = 1 << 16;
    return std::clamp<Index>(kNumbers / std::max<Index>(1, numbers), 1, PanelScores::kBlockRows);
  };
  const auto& contents = model.contents();
  if (const Index rows = rows_at_once(contents.head, shape_of(model)); rows > 0) {
    return {.dense = rows, .sparse = rows};
  }
  // Other heads need all linear scores of a block, and return the scores of all labels.
  const Index scored = has_linear_scores(contents.head)
                           ? 0
                           : std::max<Index>(std::ssize(contents.intercepts), model.labels());
  // Dense rows, and those with Gaussian features, are stored completely transformed.
  const Index represented = represented_features(contents.representation);
  const Index dense = rows_of(std::max(represented, scored));
  return {.dense = dense, .sparse = represented > model.features() ? dense : rows_of(scored)};
}

/// The rows of `parts` one below the other; each part is freed once it is copied.
BinaryMatrix stacked(std::vector<BinaryMatrix> parts, Index cols) {
  BinaryMatrix result{.cols = cols};
  Index rows = 0, ones = 0;
  for (const auto& part : parts) {
    rows += part.rows();
    ones += part.ones();
  }
  result.row_start.reserve(as_size(rows) + 1);
  result.column.reserve(as_size(ones));
  for (auto& part : parts) {
    const Index before = result.ones();
    for (Index row = 0; row < part.rows(); ++row) {
      result.row_start.push_back(before + part.row_start[as_size(row) + 1]);
    }
    result.column.insert(result.column.end(), part.column.begin(), part.column.end());
    part = {};
  }
  return result;
}

}  // namespace

ScoreError::ScoreError(Index row, const std::string& label, double score)
    : ScoreError(row, fmt::format("the score of label '{}' is {}, not a finite number: values of "
                                  "the row, or numbers of the model, are too large",
                                  label, score)) {}

ScoreError ScoreError::of_all_labels(Index row) {
  return {row,
          "no label has a finite score: values of the row are not numbers, or "
          "they or numbers of the model are too large"};
}

ScoreError::ScoreError(Index row, std::string reason)
    : InputError(fmt::format("row {}: {}", row, reason)), row_(row), reason_(std::move(reason)) {}

class Scorer::Impl {
 public:
  Impl(const Model& model, bool with_link, Threads threads);

  Index features() const noexcept { return blocks_.linear().features(); }
  Index labels() const noexcept { return blocks_.labels(); }
  void scores(const RowRange& rows, Progress* progress, double* out);
  BinaryMatrix predict(const RowRange& rows, Progress* progress);

 private:
  using Scratch = BlockScorer::Scratch;

  void check(const RowRange& rows) const;
  /// Calls work(block, its number, scratch, progress) for all blocks of the rows, on all threads.
  template <class Work>
  void for_each_block(const RowRange& rows, Progress* progress, const Work& work);
  /// Made of the model where nobody has yet.
  static std::shared_ptr<const Model::Layout> layout_of(const Model& model, ThreadPool& pool);
  BlockScorer::Parts parts_of(const Model& model);

  BlockRows block_rows_;
  ThreadPool pool_;
  bool with_link_;
  BlockScorer blocks_;
  std::vector<Scratch> scratch_;  ///< one per thread
};

std::shared_ptr<const Model::Layout> Scorer::Impl::layout_of(const Model& model, ThreadPool& pool) {
  const auto& layout = model.layout_;
  assert(layout);  // null only in a moved-from model
  // Not std::call_once: glibc terminates if bad_alloc is thrown through it.
  const std::lock_guard lock(layout->mutex);
  if (!layout->panels) {
    const double weights = std::visit(
        [](const auto& matrix) {
          return static_cast<double>(matrix.size()) * sizeof(*matrix.data());
        },
        model.contents().weights);
    const Index centres = model.contents().representation.gaussian.centres.rows();
    const double expansion = GaussianExpansion::bytes(model.features(), centres);
    require_memory(
        MemoryNeed("the weights as scoring lays them out", weights + expansion).exactly(),
        fmt::format("scoring with a model of {} labels and {} features", model.labels(),
                    model.features()),
        "a model of fewer labels or features");
    layout->label_names = model.contents().label_names;
    layout->head = model.contents().head;
    layout->head_scores = head_scores(layout->head, shape_of(model));
    layout->panels.emplace(model, pool);
  }
  return layout;
}

BlockScorer::Parts Scorer::Impl::parts_of(const Model& model) {
  const auto layout = layout_of(model, pool_);
  const auto& contents = model.contents();
  BlockScorer::Parts parts{.linear = {layout, &*layout->panels},
                           .label_names = {layout, &layout->label_names},
                           .head = {layout, layout->head_scores.get()},
                           .calibration = nullptr,
                           .is_logistic = with_link_ && has_linear_scores(contents.head) &&
                                          score_range(contents).are_probabilities};
  if (with_link_ && !contents.calibration.is_empty()) {
    parts.calibration =
        std::make_shared<CalibratedScores>(contents.calibration, score_range(contents.head));
  }
  return parts;
}

Scorer::Impl::Impl(const Model& model, bool with_link, Threads threads)
    : block_rows_(block_rows(model)),
      pool_(threads),
      with_link_(with_link),
      blocks_(parts_of(model), model.contents().thresholds) {
  for (int thread = 0; thread < pool_.size(); ++thread) scratch_.push_back(blocks_.scratch());
}

void Scorer::Impl::check(const RowRange& rows) const {
  if (rows.x.cols() != features()) {
    throw UsageError(fmt::format("the data has {} features, the model was trained on {}",
                                 rows.x.cols(), features()));
  }
  assert(rows.begin >= 0 && rows.begin <= rows.end && rows.end <= rows.x.rows());
}

template <class Work>
void Scorer::Impl::for_each_block(const RowRange& rows, Progress* progress, const Work& work) {
  const Index most = block_rows_.of(rows.x);
  const Index blocks = block_rows_.blocks(rows.x, rows.count());
  // For every thread, because any thread may take any rows.
  for (Scratch& scratch : scratch_) blocks_.linear().make_room(rows, most, scratch.panels);
  BlockTurns turns(blocks);
  BlockProgress shared(progress, std::max<Index>(1, blocks));
  advance(progress, 0);  // at least once, for any timing of the threads
  // Scratch is per thread rather than per block, because the number of blocks is not known.
  pool_.run(
      std::min<Index>(pool_.size(), blocks),
      [&](Index thread) {
        turns.work_off([&](Index block) {
          const Index first = rows.begin + block * most;
          work(RowRange{rows.x, first, std::min(first + most, rows.end)}, block,
               scratch_[as_size(thread)], shared);
          shared.add_done();
        });
      },
      [&] { shared.update(0); });
  shared.rethrow();
  turns.rethrow();
}

void Scorer::Impl::scores(const RowRange& rows, Progress* progress, double* out) {
  check(rows);
  for_each_block(
      rows, progress, [&](const RowRange& block, Index, Scratch& scratch, Progress& shared) {
        blocks_.score(block, scratch, shared, out + (block.begin - rows.begin) * labels());
      });
}

BinaryMatrix Scorer::Impl::predict(const RowRange& rows, Progress* progress) {
  if (!with_link_)
    throw UsageError("thresholds apply to scores, which a linear scorer does not compute");
  check(rows);
  const Index blocks = block_rows_.blocks(rows.x, rows.count());
  std::vector<BinaryMatrix> found(as_size(blocks));
  for_each_block(rows, progress,
                 [&](const RowRange& block, Index number, Scratch& scratch, Progress& shared) {
                   found[as_size(number)] = blocks_.predict(block, scratch, shared);
                 });
  return stacked(std::move(found), labels());
}

Scorer Scorer::linear(const Model& model, Threads threads) {
  const Head& head = model.contents().head;
  if (!has_linear_scores(head)) {
    throw UsageError(fmt::format("the labels of a model with the head '{}' have no linear scores",
                                 kind_of(head)));
  }
  return {model, false, threads};
}

Threads Scorer::threads_for(const Model& model, const Features& x, Index rows, Threads threads) {
  return threads.at_most(block_rows(model).blocks(x, rows));
}

Scorer::Scorer(const Model& model, bool with_link, Threads threads)
    : impl_(std::make_unique<Impl>(model, with_link, threads)) {}
Scorer::~Scorer() = default;
Scorer::Scorer(Scorer&&) noexcept = default;
Scorer& Scorer::operator=(Scorer&&) noexcept = default;

Index Scorer::features() const noexcept { return impl_->features(); }
Index Scorer::labels() const noexcept { return impl_->labels(); }

void Scorer::scores(const Features& x, Index begin, Index end, std::span<double> out,
                    Progress* progress) {
  assert(std::ssize(out) >= (end - begin) * labels());
  impl_->scores({x, begin, end}, progress, out.data());
}

BinaryMatrix Scorer::predict(const Features& x, Index begin, Index end, Progress* progress) {
  return impl_->predict({x, begin, end}, progress);
}

}  // namespace mugrad

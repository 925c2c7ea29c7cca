// SPDX-License-Identifier: MIT
#include "model/block_turns.h"
#include "model/head_scores.h"
#include "model/model_layout.h"
#include "model/panel_scores.h"
#include "model/range_kernels.h"
#include "model/threshold_kernels.h"
#include "objective/logistic_kernels.h"

#include <mugrad/core/error.h>
#include <mugrad/core/memory.h>
#include <mugrad/data/dataset.h>
#include <mugrad/model/scorer.h>
#include <mugrad/objective/logistic.h>
#include <mugrad/parallel/thread_pool.h>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

namespace mugrad {
namespace {

static_assert(PanelScores::kMostColumns <= 64, "a panel's labels have a bit each in a word");

/// Rows of a block: few enough for what they take to stay in the second cache.
struct BlockRows {
  Index dense, sparse;

  Index of(const Features& x) const noexcept {
    if (!x.is_sparse()) return dense;
    // So many entries are multiplied with a panel in less time than anybody notices.
    constexpr Index kMostEntries = Index{1} << 22;
    const Index per_row = x.stored() / std::max<Index>(1, x.rows());
    return std::clamp<Index>(kMostEntries / std::max<Index>(1, per_row), 1, sparse);
  }
  Index blocks(const Features& x, Index rows) const noexcept { return (rows + of(x) - 1) / of(x); }
};

BlockRows block_rows(const Model& model) noexcept {
  const auto rows_of = [](Index numbers) {
    constexpr Index kNumbers = 1 << 16;
    return std::clamp<Index>(kNumbers / std::max<Index>(1, numbers), 1, PanelScores::kBlockRows);
  };
  const auto& contents = model.contents();
  const bool has_link_only = std::holds_alternative<IndependentHead>(contents.head);
  // A head is given all linear scores of a block, and gives all scores of its labels.
  const Index scored =
      has_link_only ? 0 : std::max<Index>(std::ssize(contents.intercepts), model.labels());
  return {.dense = rows_of(std::max(model.features(), scored)),  // these are transformed whole
          .sparse = rows_of(scored)};
}

/// Linear scores and squared lengths beyond this are computed anew, in a wider range: a sum that
/// comes so far may have left the range of double on its way, or leave it in a head.
constexpr double kLargest = 1e280;

/// To whole cache lines; no score reaches the padding's.
AlignedBuffer<double> padded(const std::vector<double>& thresholds) {
  const Panels one = Panels::cut(std::ssize(thresholds), kLine<double>, 1);
  AlignedBuffer<double> result(one.padded());
  std::fill_n(result.data(), result.size(), std::numeric_limits<double>::quiet_NaN());
  std::ranges::copy(thresholds, result.data());
  return result;
}

/// The labels from `first` on whose bits are set.
void append_labels(std::uint64_t bits, Index first, std::vector<LabelId>& to) {
  for (; bits != 0; bits &= bits - 1) {
    to.push_back(static_cast<LabelId>(first) + std::countr_zero(bits));
  }
}

/// Those of `parts`, one below the other; each is gone once it has been taken.
BinaryMatrix stacked(std::vector<BinaryMatrix> parts, Index cols) {
  BinaryMatrix result{.cols = cols};
  Index rows = 0, ones = 0;
  for (const auto& part : parts) {
    rows += part.rows();
    ones += part.ones();
  }
  result.row_start.reserve(static_cast<std::size_t>(rows) + 1);
  result.column.reserve(static_cast<std::size_t>(ones));
  for (auto& part : parts) {
    const Index before = result.ones();
    for (Index row = 0; row < part.rows(); ++row) {
      result.row_start.push_back(before + part.row_start[static_cast<std::size_t>(row) + 1]);
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
          "no label has a score that is a finite number: values of the row are not numbers, or "
          "they or numbers of the model are too large"};
}

ScoreError::ScoreError(Index row, std::string reason)
    : InputError(fmt::format("row {}: {}", row, reason)), row_(row), reason_(std::move(reason)) {}

class Scorer::Impl {
 public:
  Impl(const Model& model, bool with_link, Threads threads);

  Index features() const noexcept { return linear_->features(); }
  Index labels() const noexcept { return labels_; }
  void scores(const RowRange& rows, const Checkpoint& checkpoint, double* out);
  BinaryMatrix predict(const RowRange& rows, const Checkpoint& checkpoint);

 private:
  /// What a thread works with.
  struct Scratch {
    PanelScores::Scratch panels;
    std::vector<double> linear;  ///< scores of a block for all panels, where a head wants them
    std::vector<double> scores;  ///< of labels, where a head gives them and none but they are asked
    std::vector<std::uint64_t> reached;  ///< a row of words per row, a word per panel
    HeadScratch head;
    std::vector<char> is_beyond;    ///< whether a row of the block leaves the range of double
    bool has_beyond = false;        ///< whether any does
    std::vector<long double> wide;  ///< linear scores of such a row
  };

  void check(const RowRange& rows) const;
  /// work(block, its number, scratch, checkpoint) for all blocks of the rows, by all threads.
  template <class Work>
  void for_each_block(const RowRange& rows, const Checkpoint& checkpoint, const Work& work);
  /// take(panel) for all panels, with the panel's scores in scratch.z.
  template <class Take>
  void for_each_panel(const RowRange& block, Scratch& scratch, const Checkpoint& go_on,
                      const Take& take) const;
  void copy_panels(const RowRange& block, Scratch& scratch, const Checkpoint& go_on,
                   double* out) const;
  void apply_head(const RowRange& block, Scratch& scratch, const Checkpoint& go_on,
                  double* out) const;
  /// Scores, whatever the head.
  void score_block(const RowRange& block, Scratch& scratch, const Checkpoint& go_on,
                   double* out) const;
  /// Those of a row that leaves the range of double. Throws ScoreError when they do, too.
  void score_wide(const Features& x, Index row, Scratch& scratch, const Checkpoint& go_on,
                  std::span<double> out) const;
  BinaryMatrix predict_panels(const RowRange& block, Scratch& scratch,
                              const Checkpoint& go_on) const;
  BinaryMatrix predict_by_head(const RowRange& block, Scratch& scratch,
                               const Checkpoint& go_on) const;
  /// Ends a row with the labels whose scores reach their thresholds.
  void append_reached(std::span<const double> scores, BinaryMatrix& found) const;

  /// Marks the rows that have a number beyond `most`.
  static void mark_beyond(Index rows, Index width, const double* numbers, double most,
                          Scratch& scratch);
  static std::shared_ptr<const PanelScores> panel_scores(const Model& model, ThreadPool& pool);

  Index labels_;
  BlockRows block_rows_;
  ThreadPool pool_;
  std::shared_ptr<const PanelScores> linear_;
  std::shared_ptr<const std::vector<std::string>> label_names_;
  Head head_;
  std::unique_ptr<HeadScores> head_scores_;  ///< null: none but a link is needed
  bool with_link_;
  bool is_logistic_;
  AlignedBuffer<double> thresholds_;
  std::vector<Scratch> scratch_;  ///< one per thread
};

std::shared_ptr<const PanelScores> Scorer::Impl::panel_scores(const Model& model,
                                                              ThreadPool& pool) {
  const auto& layout = model.layout_;
  assert(layout);  // unless the model has been moved from
  // No std::call_once: where memory is short, glibc ends the process over an exception through it.
  const std::lock_guard lock(layout->mutex);
  if (!layout->panels) {
    const double weights = std::visit(
        [](const auto& matrix) {
          return static_cast<double>(matrix.size()) * sizeof(*matrix.data());
        },
        model.contents().weights);
    require_memory(MemoryNeed("the weights as scoring lays them out", weights).exactly(),
                   fmt::format("scoring with a model of {} labels and {} features", model.labels(),
                               model.features()),
                   "a model of fewer labels or features");
    layout->label_names = model.contents().label_names;
    layout->panels.emplace(model, pool);
  }
  return {layout, &*layout->panels};
}

Scorer::Impl::Impl(const Model& model, bool with_link, Threads threads)
    : labels_(model.labels()),
      block_rows_(block_rows(model)),
      pool_(threads),
      linear_(panel_scores(model, pool_)),
      label_names_(model.layout_, &model.layout_->label_names),
      head_(model.contents().head),
      head_scores_(head_scores(head_, linear_->panels().columns, labels_)),
      with_link_(with_link),
      is_logistic_(with_link && head_ == Head(IndependentHead{Link::logistic})),
      thresholds_(padded(model.contents().thresholds)),
      scratch_(static_cast<std::size_t>(pool_.size())) {
  for (Scratch& scratch : scratch_) {
    scratch.panels = linear_->scratch();
    scratch.is_beyond.resize(PanelScores::kBlockRows, 0);
  }
}

void Scorer::Impl::check(const RowRange& rows) const {
  if (rows.x.cols() != features()) {
    throw UsageError(fmt::format("the data has {} features, the model was trained on {}",
                                 rows.x.cols(), features()));
  }
  assert(rows.begin >= 0 && rows.begin <= rows.end && rows.end <= rows.x.rows());
}

template <class Work>
void Scorer::Impl::for_each_block(const RowRange& rows, const Checkpoint& checkpoint,
                                  const Work& work) {
  const Index most = block_rows_.of(rows.x);
  const Index blocks = block_rows_.blocks(rows.x, rows.count());
  // For every thread, since which one takes which rows is left open.
  for (Scratch& scratch : scratch_) linear_->make_room(rows, most, scratch.panels);
  BlockTurns turns(blocks);
  SharedCheckpoint shared(checkpoint);
  checkpoint();  // once at least, however the threads take turns
  const Checkpoint go_on = [&shared] { shared.check(); };
  // Threads have scratch each, rather than blocks: how many there are is not known beforehand.
  pool_.run(
      std::min<Index>(pool_.size(), blocks),
      [&](Index thread) {
        turns.work_off([&](Index block) {
          const Index first = rows.begin + block * most;
          work(RowRange{rows.x, first, std::min(first + most, rows.end)}, block,
               scratch_[static_cast<std::size_t>(thread)], go_on);
        });
      },
      [&] { shared.goes_on(); });
  shared.rethrow();
  turns.rethrow();
}

void Scorer::Impl::mark_beyond(Index rows, Index width, const double* numbers, double most,
                               Scratch& scratch) {
  if (all_within({numbers, static_cast<std::size_t>(rows * width)}, most)) return;
  scratch.has_beyond = true;
  for (Index row = 0; row < rows; ++row, numbers += width) {
    if (all_within({numbers, static_cast<std::size_t>(width)}, most)) continue;
    scratch.is_beyond[static_cast<std::size_t>(row)] = 1;
  }
}

template <class Take>
void Scorer::Impl::for_each_panel(const RowRange& block, Scratch& scratch, const Checkpoint& go_on,
                                  const Take& take) const {
  PanelScores::Scratch& panels = scratch.panels;
  std::ranges::fill(scratch.is_beyond, 0);
  scratch.has_beyond = false;
  linear_->begin(block, panels);
  for (Index panel = 0; panel < linear_->panels().count; ++panel) {
    go_on();
    linear_->multiply(block, panel, panels);
    const Index width = linear_->panels().width(panel);
    mark_beyond(block.count(), width, panels.z.data(), kLargest, scratch);
    if (is_logistic_) logistic_slopes(block.count(), width, panels.z.data());
    take(panel);
  }
}

void Scorer::Impl::copy_panels(const RowRange& block, Scratch& scratch, const Checkpoint& go_on,
                               double* out) const {
  const Panels& panels = linear_->panels();
  for_each_panel(block, scratch, go_on, [&](Index panel) {
    const Index width = panels.width(panel);
    for (Index row = 0; row < block.count(); ++row) {
      std::copy_n(scratch.panels.z.data() + row * width, panels.filled(panel),
                  out + row * panels.columns + panels.first(panel));
    }
  });
}

void Scorer::Impl::apply_head(const RowRange& block, Scratch& scratch, const Checkpoint& go_on,
                              double* out) const {
  scratch.linear.resize(static_cast<std::size_t>(block.count() * linear_->panels().columns));
  copy_panels(block, scratch, go_on, scratch.linear.data());
  const double* lengths = nullptr;
  if (head_scores_->wants_lengths()) {
    linear_->measure_lengths(block, scratch.panels);
    lengths = scratch.panels.squared_lengths.data();
    mark_beyond(block.count(), 1, lengths, kLargest, scratch);
  }
  head_scores_->apply(block.count(), scratch.linear.data(), lengths, scratch.head, go_on, out);
  mark_beyond(block.count(), labels_, out, std::numeric_limits<double>::max(), scratch);
}

void Scorer::Impl::score_block(const RowRange& block, Scratch& scratch, const Checkpoint& go_on,
                               double* out) const {
  head_scores_ ? apply_head(block, scratch, go_on, out) : copy_panels(block, scratch, go_on, out);
  if (!scratch.has_beyond) return;
  for (Index row = 0; row < block.count(); ++row) {
    if (scratch.is_beyond[static_cast<std::size_t>(row)] == 0) continue;
    score_wide(block.x, block.begin + row, scratch, go_on,
               {out + row * labels_, static_cast<std::size_t>(labels_)});
  }
}

void Scorer::Impl::score_wide(const Features& x, Index row, Scratch& scratch,
                              const Checkpoint& go_on, std::span<double> out) const {
  go_on();
  scratch.wide.resize(static_cast<std::size_t>(linear_->panels().columns));
  const std::span z(scratch.wide);
  const long double squared_length = linear_->multiply_wide(x, row, z);
  const auto is_finite = [](long double number) { return std::isfinite(number); };
  if (head_scores_) {
    // Only features that are no numbers lead there, and a head might make scores of them.
    if (!is_finite(squared_length) || !std::ranges::all_of(z, is_finite)) {
      throw ScoreError::of_all_labels(row);
    }
    head_scores_->apply_wide(z, squared_length, scratch.head, go_on, out);
  } else {
    std::ranges::transform(z, out.begin(), [&](long double score) {
      if (!is_finite(score)) return std::nan("");  // even where the link would make a number of it
      return static_cast<double>(is_logistic_ ? LogisticLoss::probability(score) : score);
    });
  }
  for (std::size_t label = 0; label < out.size(); ++label) {
    if (std::isfinite(out[label])) continue;
    throw ScoreError(row, name_or_number(*label_names_, static_cast<Index>(label)), out[label]);
  }
}

void Scorer::Impl::scores(const RowRange& rows, const Checkpoint& checkpoint, double* out) {
  check(rows);
  for_each_block(rows, checkpoint,
                 [&](const RowRange& block, Index, Scratch& scratch, const Checkpoint& go_on) {
                   score_block(block, scratch, go_on, out + (block.begin - rows.begin) * labels_);
                 });
}

void Scorer::Impl::append_reached(std::span<const double> scores, BinaryMatrix& found) const {
  for (std::size_t label = 0; label < scores.size(); ++label) {
    if (scores[label] >= thresholds_.data()[label]) {
      found.column.push_back(static_cast<LabelId>(label));
    }
  }
  found.end_row();
}

/// From panel to bits: scores are never stored.
BinaryMatrix Scorer::Impl::predict_panels(const RowRange& block, Scratch& scratch,
                                          const Checkpoint& go_on) const {
  const Panels& panels = linear_->panels();
  scratch.reached.resize(static_cast<std::size_t>(block.count() * panels.count));
  for_each_panel(block, scratch, go_on, [&](Index panel) {
    reached_thresholds(block.count(), panels.width(panel), scratch.panels.z.data(),
                       thresholds_.data() + panels.first(panel), panels.count,
                       scratch.reached.data() + panel);
  });
  BinaryMatrix found{.cols = labels_};
  const std::uint64_t* words = scratch.reached.data();
  for (Index row = 0; row < block.count(); ++row, words += panels.count) {
    if (scratch.is_beyond[static_cast<std::size_t>(row)] != 0) {
      scratch.scores.resize(static_cast<std::size_t>(labels_));
      score_wide(block.x, block.begin + row, scratch, go_on, scratch.scores);
      append_reached(scratch.scores, found);
      continue;
    }
    for (Index panel = 0; panel < panels.count; ++panel) {
      append_labels(words[panel], panels.first(panel), found.column);
    }
    found.end_row();
  }
  return found;
}

BinaryMatrix Scorer::Impl::predict_by_head(const RowRange& block, Scratch& scratch,
                                           const Checkpoint& go_on) const {
  scratch.scores.resize(static_cast<std::size_t>(block.count() * labels_));
  score_block(block, scratch, go_on, scratch.scores.data());
  BinaryMatrix found{.cols = labels_};
  for (Index row = 0; row < block.count(); ++row) {
    append_reached(
        std::span(scratch.scores)
            .subspan(static_cast<std::size_t>(row * labels_), static_cast<std::size_t>(labels_)),
        found);
  }
  return found;
}

BinaryMatrix Scorer::Impl::predict(const RowRange& rows, const Checkpoint& checkpoint) {
  if (!with_link_)
    throw UsageError("thresholds are of scores, which a linear scorer does not give");
  check(rows);
  const Index blocks = block_rows_.blocks(rows.x, rows.count());
  std::vector<BinaryMatrix> found(static_cast<std::size_t>(blocks));
  for_each_block(
      rows, checkpoint,
      [&](const RowRange& block, Index number, Scratch& scratch, const Checkpoint& go_on) {
        found[static_cast<std::size_t>(number)] = head_scores_
                                                      ? predict_by_head(block, scratch, go_on)
                                                      : predict_panels(block, scratch, go_on);
      });
  return stacked(std::move(found), labels_);
}

Scorer Scorer::linear(const Model& model, Threads threads) {
  const Head& head = model.contents().head;
  if (!std::holds_alternative<IndependentHead>(head)) {
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
                    const Checkpoint& checkpoint) {
  assert(std::ssize(out) >= (end - begin) * labels());
  impl_->scores({x, begin, end}, checkpoint, out.data());
}

BinaryMatrix Scorer::predict(const Features& x, Index begin, Index end,
                             const Checkpoint& checkpoint) {
  return impl_->predict({x, begin, end}, checkpoint);
}

}  // namespace mugrad

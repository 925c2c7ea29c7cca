// SPDX-License-Identifier: MIT
#include "model/head_scores.h"
#include "model/model_layout.h"
#include "model/panel_scores.h"
#include "model/threshold_kernels.h"
#include "objective/logistic_kernels.h"

#include <mugrad/core/error.h>
#include <mugrad/model/scorer.h>
#include <mugrad/parallel/thread_pool.h>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cassert>
#include <exception>
#include <limits>
#include <mutex>
#include <utility>

namespace mugrad {
namespace {

static_assert(PanelScores::kMostColumns <= 64, "a panel's labels have a bit each in a word");

/// Rows of a block: few enough for what they take to stay in the second cache.
struct BlockRows {
  Index dense, sparse;

  Index of(const Features& x) const noexcept { return x.is_sparse() ? sparse : dense; }
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

/// The work on blocks that threads take in ascending order. What is kept of failures is that of the
/// lowest block, however the threads take turns: those below it have all been taken before.
class BlockTurns {
 public:
  explicit BlockTurns(Index count) : count_(count) {}

  /// work(block) for blocks that nobody has taken, until there are none or one has failed.
  template <class Work>
  void work_off(const Work& work) {
    for (;;) {
      const Index block = next_.fetch_add(1, std::memory_order_relaxed);
      if (block >= count_) return;
      try {
        work(block);
      } catch (...) {
        next_.store(count_, std::memory_order_relaxed);
        const std::lock_guard lock(mutex_);
        if (failure_ && failed_ < block) continue;
        failure_ = std::current_exception();
        failed_ = block;
      }
    }
  }
  /// For whom all threads have come back to.
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  Index count_;
  std::atomic<Index> next_ = 0;
  std::mutex mutex_;
  std::exception_ptr failure_;
  Index failed_ = 0;
};

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

class Scorer::Impl {
 public:
  Impl(const Model& model, bool with_link, Threads threads);

  Index features() const noexcept { return linear_->features(); }
  Index labels() const noexcept { return labels_; }
  void scores(const RowRange& rows, double* out);
  BinaryMatrix predict(const RowRange& rows);

 private:
  /// What a thread works with.
  struct Scratch {
    PanelScores::Scratch panels;
    std::vector<double> linear;  ///< scores of a block for all panels, where a head wants them
    std::vector<double> scores;  ///< of labels, where a head gives them and none but they are asked
    std::vector<std::uint64_t> reached;  ///< a row of words per row, a word per panel
    HeadScratch head;
  };

  void check(const RowRange& rows) const;
  /// work(block, its number, scratch) for all blocks of the rows, by all threads.
  template <class Work>
  void for_each_block(const RowRange& rows, const Work& work);
  /// take(panel) for all panels, with the panel's scores in scratch.z.
  template <class Take>
  void for_each_panel(const RowRange& block, PanelScores::Scratch& scratch, const Take& take) const;
  void copy_panels(const RowRange& block, PanelScores::Scratch& scratch, double* out) const;
  void apply_head(const RowRange& block, Scratch& scratch, double* out) const;
  BinaryMatrix predict_panels(const RowRange& block, Scratch& scratch) const;
  BinaryMatrix predict_by_head(const RowRange& block, Scratch& scratch) const;

  static std::shared_ptr<const PanelScores> panel_scores(const Model& model, ThreadPool& pool);

  Index labels_;
  BlockRows block_rows_;
  ThreadPool pool_;
  std::shared_ptr<const PanelScores> linear_;
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
  std::call_once(layout->once, [&] { layout->panels.emplace(model, pool); });
  return {layout, &*layout->panels};
}

Scorer::Impl::Impl(const Model& model, bool with_link, Threads threads)
    : labels_(model.labels()),
      block_rows_(block_rows(model)),
      pool_(threads),
      linear_(panel_scores(model, pool_)),
      head_(model.contents().head),
      head_scores_(head_scores(head_, linear_->panels().columns, labels_)),
      with_link_(with_link),
      is_logistic_(with_link && head_ == Head(IndependentHead{Link::logistic})),
      thresholds_(padded(model.contents().thresholds)),
      scratch_(static_cast<std::size_t>(pool_.size())) {
  for (Scratch& scratch : scratch_) scratch.panels = linear_->scratch();
}

void Scorer::Impl::check(const RowRange& rows) const {
  if (rows.x.cols() != features()) {
    throw UsageError(fmt::format("the data has {} features, the model was trained on {}",
                                 rows.x.cols(), features()));
  }
  assert(rows.begin >= 0 && rows.begin <= rows.end && rows.end <= rows.x.rows());
}

template <class Work>
void Scorer::Impl::for_each_block(const RowRange& rows, const Work& work) {
  const Index most = block_rows_.of(rows.x);
  const Index blocks = block_rows_.blocks(rows.x, rows.count());
  // For every thread, since which one takes which rows is left open.
  for (Scratch& scratch : scratch_) linear_->make_room(rows, most, scratch.panels);
  BlockTurns turns(blocks);
  // Threads have scratch each, rather than blocks: how many there are is not known beforehand.
  pool_.run(std::min<Index>(pool_.size(), blocks), [&](Index thread) {
    turns.work_off([&](Index block) {
      const Index first = rows.begin + block * most;
      work(RowRange{rows.x, first, std::min(first + most, rows.end)}, block,
           scratch_[static_cast<std::size_t>(thread)]);
    });
  });
  turns.rethrow();
}

template <class Take>
void Scorer::Impl::for_each_panel(const RowRange& block, PanelScores::Scratch& scratch,
                                  const Take& take) const {
  linear_->begin(block, scratch);
  for (Index panel = 0; panel < linear_->panels().count; ++panel) {
    linear_->multiply(block, panel, scratch);
    if (is_logistic_) {
      logistic_slopes(block.count(), linear_->panels().width(panel), scratch.z.data());
    }
    take(panel);
  }
}

void Scorer::Impl::copy_panels(const RowRange& block, PanelScores::Scratch& scratch,
                               double* out) const {
  const Panels& panels = linear_->panels();
  for_each_panel(block, scratch, [&](Index panel) {
    const Index width = panels.width(panel);
    for (Index row = 0; row < block.count(); ++row) {
      std::copy_n(scratch.z.data() + row * width, panels.filled(panel),
                  out + row * panels.columns + panels.first(panel));
    }
  });
}

void Scorer::Impl::apply_head(const RowRange& block, Scratch& scratch, double* out) const {
  scratch.linear.resize(static_cast<std::size_t>(block.count() * linear_->panels().columns));
  copy_panels(block, scratch.panels, scratch.linear.data());
  const double* lengths = nullptr;
  if (head_scores_->wants_lengths()) {
    linear_->measure_lengths(block, scratch.panels);
    lengths = scratch.panels.squared_lengths.data();
  }
  head_scores_->apply(block.count(), scratch.linear.data(), lengths, scratch.head, out);
}

void Scorer::Impl::scores(const RowRange& rows, double* out) {
  check(rows);
  for_each_block(rows, [&](const RowRange& block, Index, Scratch& scratch) {
    double* const to = out + (block.begin - rows.begin) * labels_;
    head_scores_ ? apply_head(block, scratch, to) : copy_panels(block, scratch.panels, to);
  });
}

/// From panel to bits: scores are never stored.
BinaryMatrix Scorer::Impl::predict_panels(const RowRange& block, Scratch& scratch) const {
  const Panels& panels = linear_->panels();
  scratch.reached.resize(static_cast<std::size_t>(block.count() * panels.count));
  for_each_panel(block, scratch.panels, [&](Index panel) {
    reached_thresholds(block.count(), panels.width(panel), scratch.panels.z.data(),
                       thresholds_.data() + panels.first(panel), panels.count,
                       scratch.reached.data() + panel);
  });
  BinaryMatrix found{.cols = labels_};
  const std::uint64_t* word = scratch.reached.data();
  for (Index row = 0; row < block.count(); ++row) {
    for (Index panel = 0; panel < panels.count; ++panel) {
      append_labels(*word++, panels.first(panel), found.column);
    }
    found.end_row();
  }
  return found;
}

BinaryMatrix Scorer::Impl::predict_by_head(const RowRange& block, Scratch& scratch) const {
  scratch.scores.resize(static_cast<std::size_t>(block.count() * labels_));
  apply_head(block, scratch, scratch.scores.data());
  BinaryMatrix found{.cols = labels_};
  const double* score = scratch.scores.data();
  for (Index row = 0; row < block.count(); ++row) {
    for (Index label = 0; label < labels_; ++label) {
      if (*score++ >= thresholds_.data()[label]) {
        found.column.push_back(static_cast<LabelId>(label));
      }
    }
    found.end_row();
  }
  return found;
}

BinaryMatrix Scorer::Impl::predict(const RowRange& rows) {
  if (!with_link_)
    throw UsageError("thresholds are of scores, which a linear scorer does not give");
  check(rows);
  const Index blocks = block_rows_.blocks(rows.x, rows.count());
  std::vector<BinaryMatrix> found(static_cast<std::size_t>(blocks));
  for_each_block(rows, [&](const RowRange& block, Index number, Scratch& scratch) {
    found[static_cast<std::size_t>(number)] =
        head_scores_ ? predict_by_head(block, scratch) : predict_panels(block, scratch);
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

void Scorer::scores(const Features& x, Index begin, Index end, std::span<double> out) {
  assert(std::ssize(out) >= (end - begin) * labels());
  impl_->scores({x, begin, end}, out.data());
}

BinaryMatrix Scorer::predict(const Features& x, Index begin, Index end) {
  return impl_->predict({x, begin, end});
}

}  // namespace mugrad

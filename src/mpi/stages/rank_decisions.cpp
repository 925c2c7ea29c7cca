// SPDX-License-Identifier: MIT
#include "mpi/stages/rank_decisions.h"

#include "core/stages.h"
#include "method/common/option_list.h"
#include "method/mgd/mgd_options.h"
#include "mpi/stages/held_out.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>

namespace mugrad::mpi {
namespace {

constexpr std::string_view kStage = "folds";
constexpr const char* kUndecided = "scores were not calibrated and thresholds not chosen: {}";

/// The options of a training on inner folds, which may be less accurate.
MgdOptions trial_options(const MgdOptions& options, const TuneOptions& tuning) {
  MgdOptions result = options;
  OptionList list;
  list_options(result, list);
  for (const auto& [name, text] : tuning.search.trial_only) list.set(name, text);
  return result;
}

std::string_view bytes_of(std::span<const Index> numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()};
}

std::vector<Index> numbers_in(std::string_view bytes) {
  std::vector<Index> numbers(bytes.size() / sizeof(Index));
  std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(Index));
  return numbers;
}

/// The counts of all labels, on the first rank, from those of each rank's labels.
class CollectedCounts {
 public:
  CollectedCounts(const Grid& grid, Index labels, const MgdOptions& options,
                  const TuneOptions& tuning)
      : grid_(grid), labels_(labels), options_(options), tuning_(tuning) {
    if (grid.all.is_first()) all_.emplace(counts_for(labels));
  }

  /// For so many labels, as the counts of the whole.
  HeldOutCounts counts_for(Index labels) const {
    return {labels,
            IndependentHead{options_.loss == LossKind::logistic ? Link::logistic : Link::identity},
            options_.threshold, tuning_};
  }

  /// Adds the counts of these labels on this rank's rows. Every rank must call it.
  void add(const std::vector<LabelId>& labels, const HeldOutCounts& counts) {
    std::vector<Index> numbers = counts.numbers();
    grid_.rows.sum(std::span(numbers));
    if (!grid_.writes()) return;
    const std::size_t each = counts.numbers_per_label();
    const auto most =
        static_cast<std::size_t>(grid_.labels.largest(static_cast<double>(labels.size())));
    for (std::size_t first = 0; first < most; first += at_once(each)) {
      const std::size_t begin = std::min(first, labels.size());
      const std::size_t count = std::min(at_once(each), labels.size() - begin);
      std::vector<Index> sent(labels.begin() + as_index(begin),
                              labels.begin() + as_index(begin + count));
      const auto own = std::span(numbers).subspan(begin * each, count * each);
      sent.insert(sent.end(), own.begin(), own.end());
      for (const auto& text : grid_.labels.collect(bytes_of(sent))) receive(text, each);
    }
  }

  /// Restores the counts; `bytes` is used on the first rank.
  void restore(std::string_view bytes) {
    if (!all_) return;
    const auto numbers = numbers_in(bytes);
    if (numbers.size() != as_size(labels_) * all_->numbers_per_label()) {
      throw InputError("the counts of the checkpoint are damaged: remove it");
    }
    std::vector<LabelId> labels(as_size(labels_));
    std::iota(labels.begin(), labels.end(), LabelId{0});
    all_->add_numbers(labels, numbers);
  }
  /// On the first rank; empty elsewhere.
  std::string bytes() const { return all_ ? std::string(bytes_of(all_->numbers())) : ""; }

  /// The decisions of the first rank.
  Decisions decide() const {
    Decisions decisions;
    if (all_) {
      ThreadPool pool(options_.threads);
      decisions = all_->decide(tuning_, pool);
    }
    auto& [slope, shift] = decisions.calibration;
    for (auto* const numbers : {&decisions.thresholds, &slope, &shift}) grid_.all.share(*numbers);
    return decisions;
  }

 private:
  /// How many labels each rank sends at once, so that those of all fit into one message.
  std::size_t at_once(std::size_t numbers_per_label) const {
    constexpr std::size_t kBytes = std::size_t{1} << 28;
    const auto ranks = as_size(grid_.labels.size());
    return std::max<std::size_t>(1, kBytes / (sizeof(Index) * (numbers_per_label + 1) * ranks));
  }

  void receive(std::string_view text, std::size_t each) {
    const auto received = numbers_in(text);
    const std::size_t count = received.size() / (each + 1);
    std::vector<LabelId> labels;
    for (std::size_t k = 0; k < count; ++k) labels.push_back(static_cast<LabelId>(received[k]));
    all_->add_numbers(labels, std::span(received).subspan(count));
  }

  const Grid& grid_;
  Index labels_;
  const MgdOptions& options_;
  const TuneOptions& tuning_;
  std::optional<HeldOutCounts> all_;  ///< on the first rank
};

/// Counts the scores of this rank's labels on its held-out rows.
template <class Real>
void count_held_out(const Grid& grid, const DataPart& part, const std::vector<Index>& held_out,
                    const RankSolution<Real>& solution, const MgdOptions& options,
                    CollectedCounts& counts) {
  const OwnModel own = own_model(grid.labels, solution, options);
  HeldOutCounts mine = counts.counts_for(own.count());
  if (own.model) {
    const Dataset& data = part.data;
    const auto truth = columns_of(data.y, own.labels, 0, data.rows());
    const bool all_known = data.unknown.rows() == 0;
    const auto unknown =
        all_known ? BinaryMatrix{} : columns_of(data.unknown, own.labels, 0, data.rows());
    score_rows(HeldOutCounts::scorer_of(*own.model, options.threads), data.x, held_out,
               [&](std::size_t k, std::span<const double> scores) {
                 const Index row = held_out[k];
                 mine.add(scores, truth.row(row),
                          all_known ? std::span<const LabelId>{} : unknown.row(row));
               });
  }
  counts.add(own.labels, mine);
}

}  // namespace

bool needs_inner_folds(const DataPart& part, const TuneOptions& tuning) {
  return (tuning.calibrate || tuning.thresholds != ThresholdRule::keep) &&
         has_enough_for_inner_folds(part.whole, tuning.inner);
}

template <class Real>
RankDecisions decide_by_inner_folds(SharedRun& run, const DataPart& part, const MgdOptions& options,
                                    const TuneOptions& tuning, Progress* progress) {
  const MgdOptions trial = trial_options(options, tuning);
  const Dataset as_in_file = part.order.empty() ? part.whole : select_rows(part.whole, part.order);
  PlannedSplits splits = inner_splits(as_in_file, tuning.inner);
  CollectedCounts counts(run.grid, part.data.labels(), options, tuning);
  Index done = 0;
  if (run.checkpoints != nullptr) {
    if (const auto kept = run.checkpoints->kept(CheckpointFolder::Kept::counts, kStage)) {
      counts.restore(kept->bytes);
      done = kept->done;
    }
  }
  const Index parts = splits_to_decide(as_in_file.rows(), tuning);
  Stages stages(progress);
  try {
    for (Index k = 0; k < parts; ++k) {
      stages.enter(share_of(k, parts), share_of(k + 1, parts));
      if (k < done) continue;
      const SplitRows rows = splits.at(k);
      if (!all_have_rows(part, rows)) {
        return {.warning = fmt::format(kUndecided, "a rank has no training rows in a fold")};
      }
      Fold fold = fold_of(part, rows);
      const auto solution = fit_on_ranks<Real>(run, fold.training, trial,
                                               {.name = fmt::format("fold {} of {}", k + 1, parts),
                                                .releases_rows = true,
                                                .progress = &stages});
      count_held_out(run.grid, part, fold.held_out, solution, trial, counts);
      if (run.checkpoints != nullptr) {
        run.checkpoints->keep(CheckpointFolder::Kept::counts, kStage, k + 1, counts.bytes());
      }
    }
  } catch (const DivergenceError& error) {
    return {.warning = fmt::format(kUndecided, error.what())};
  }
  return {.values = counts.decide()};
}

template decltype(decide_by_inner_folds<float>) decide_by_inner_folds<float>;
template decltype(decide_by_inner_folds<double>) decide_by_inner_folds<double>;

}  // namespace mugrad::mpi

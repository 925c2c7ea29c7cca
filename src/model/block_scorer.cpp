// SPDX-License-Identifier: MIT
#include "model/block_scorer.h"

#include "model/score_kernels.h"
#include "objective/logistic_kernels.h"

#include <mugrad/data/dataset.h>
#include <mugrad/model/scorer.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace mugrad {
namespace {

static_assert(PanelScores::kMostColumns <= 64, "a panel's labels have a bit each in a word");

/// Linear scores and squared lengths beyond this are recomputed in long double: such a sum may have
/// overflowed double on the way, or may do so in a head.
constexpr double kLargest = 1e280;

/// Padded to whole cache lines; no score reaches the padding.
AlignedBuffer<double> padded(const std::vector<double>& thresholds) {
  const Panels one = Panels::cut(std::ssize(thresholds), kLine<double>, 1);
  AlignedBuffer<double> result(one.padded());
  std::fill_n(result.data(), result.size(), std::numeric_limits<double>::quiet_NaN());
  std::ranges::copy(thresholds, result.data());
  return result;
}

/// Appends the labels from `first` on whose bits are set.
void append_labels(std::uint64_t bits, Index first, std::vector<LabelId>& to) {
  for (; bits != 0; bits &= bits - 1) {
    to.push_back(static_cast<LabelId>(first) + std::countr_zero(bits));
  }
}

/// Marks the rows with a number beyond `most`.
void mark_beyond(Index rows, Index width, const double* numbers, double most,
                 BlockScorer::Scratch& scratch) {
  if (all_within({numbers, as_size(rows * width)}, most)) return;
  scratch.has_beyond = true;
  for (Index row = 0; row < rows; ++row, numbers += width) {
    if (all_within({numbers, as_size(width)}, most)) continue;
    scratch.is_beyond[as_size(row)] = 1;
  }
}

/// Row `row` of numbers stored row by row.
template <class Number>
std::span<Number> row_of(Number* numbers, Index row, Index width) {
  return {numbers + row * width, as_size(width)};
}

}  // namespace

BlockScorer::BlockScorer(Parts parts, const std::vector<double>& thresholds)
    : labels_(std::ssize(thresholds)),
      linear_(std::move(parts.linear)),
      label_names_(std::move(parts.label_names)),
      head_(std::move(parts.head)),
      calibration_(std::move(parts.calibration)),
      is_logistic_(parts.is_logistic),
      thresholds_(padded(thresholds)) {}

BlockScorer::Scratch BlockScorer::scratch() const {
  Scratch scratch;
  scratch.panels = linear_->scratch();
  scratch.is_beyond.resize(PanelScores::kBlockRows, 0);
  return scratch;
}

RowRange BlockScorer::begin(const RowRange& block, Scratch& scratch) const {
  std::ranges::fill(scratch.is_beyond, 0);
  scratch.has_beyond = false;
  return linear_->begin(block, scratch.panels);
}

template <class Take>
void BlockScorer::for_each_panel(const RowRange& block, Scratch& scratch, Progress& progress,
                                 const Take& take) const {
  PanelScores::Scratch& panels = scratch.panels;
  for (Index panel = 0; panel < linear_->panels().count; ++panel) {
    advance(&progress, 0);
    linear_->multiply(block, panel, panels);
    const Index width = linear_->panels().width(panel);
    mark_beyond(block.count(), width, panels.z.data(), kLargest, scratch);
    if (calibration_ && !head_) {
      calibration_->to_log_odds(block.count(), width, linear_->panels().first(panel),
                                panels.z.data());
    }
    if (is_logistic_) logistic_slopes(block.count(), width, panels.z.data());
    take(panel);
  }
}

void BlockScorer::copy_panels(const RowRange& block, Scratch& scratch, Progress& progress,
                              double* out) const {
  const Panels& panels = linear_->panels();
  for_each_panel(block, scratch, progress, [&](Index panel) {
    const Index width = panels.width(panel);
    for (Index row = 0; row < block.count(); ++row) {
      std::copy_n(scratch.panels.z.data() + row * width, panels.filled(panel),
                  out + row * panels.columns + panels.first(panel));
    }
  });
}

void BlockScorer::gather_rows(const RowRange& block, Scratch& scratch, double* out) const {
  const HeadInput input = head_->input();
  const Index columns = input == HeadInput::scaled_row ? 0 : linear_->panels().columns;
  scratch.rows.clear();
  if (input == HeadInput::scaled_row && std::ssize(scratch.scaled) < block.count()) {
    scratch.scaled.resize(as_size(block.count()));
  }
  for (Index row = 0; row < block.count(); ++row) {
    const auto at = as_size(row);
    const auto scores = row_of(out, row, labels_);
    if (scratch.is_beyond[at] != 0) {
      std::ranges::fill(scores, 0.0);
      continue;
    }
    HeadRow<double> given{.scores = scores, .linear = row_of(scratch.linear.data(), row, columns)};
    if (input != HeadInput::linear_scores) {
      given.squared_length = scratch.panels.squared_lengths[at];
    }
    if (input == HeadInput::scaled_row) {
      auto& [features, values] = scratch.scaled[at];
      linear_->scale_row(block.x, block.begin + row, scratch.panels.of_row, features, values);
      given.features = features;
      given.values = values;
    }
    scratch.rows.push_back(given);
  }
}

void BlockScorer::apply_head(const RowRange& block, Scratch& scratch, Progress& progress,
                             double* out) const {
  const HeadInput input = head_->input();
  if (input != HeadInput::scaled_row) {
    scratch.linear.resize(as_size(block.count() * linear_->panels().columns));
    copy_panels(block, scratch, progress, scratch.linear.data());
  }
  if (input != HeadInput::linear_scores) {
    linear_->measure_lengths(block, scratch.panels);
    mark_beyond(block.count(), 1, scratch.panels.squared_lengths.data(), kLargest, scratch);
  }
  gather_rows(block, scratch, out);
  head_->score(scratch.rows, {scratch.head, progress});
  if (calibration_) {
    for (const auto& row : scratch.rows) calibration_->apply(row.scores);
  }
  mark_beyond(block.count(), labels_, out, std::numeric_limits<double>::max(), scratch);
}

void BlockScorer::score(const RowRange& given, Scratch& scratch, Progress& progress,
                        double* out) const {
  const RowRange block = begin(given, scratch);
  head_ ? apply_head(block, scratch, progress, out) : copy_panels(block, scratch, progress, out);
  if (!scratch.has_beyond) return;
  for (Index row = 0; row < block.count(); ++row) {
    if (scratch.is_beyond[as_size(row)] == 0) continue;
    score_wide(block, row, scratch, progress, row_of(out, row, labels_));
  }
}

double BlockScorer::linear_score(Index label, long double z) const {
  if (!std::isfinite(z)) return std::nan("");  // even if the link would return a number
  if (calibration_) return calibration_->probability(label, z);
  return is_logistic_ ? probability(z) : static_cast<double>(z);
}

void BlockScorer::score_wide(const RowRange& block, Index row, Scratch& scratch, Progress& progress,
                             std::span<double> out) const {
  const Index at = block.begin + row;
  const Index row_number = block.before + at;
  advance(&progress, 0);
  scratch.wide.resize(as_size(linear_->panels().columns));
  const std::span z(scratch.wide);
  HeadRow<long double> given{
      .scores = out,
      .linear = z,
      .squared_length = linear_->multiply_wide(block.x, at, scratch.panels.of_wide_row, z)};
  const auto is_finite = [](long double number) { return std::isfinite(number); };
  if (head_) {
    // Only features that are not numbers cause this, and a head might turn them into scores.
    if (!is_finite(given.squared_length) || !std::ranges::all_of(z, is_finite)) {
      throw ScoreError::of_all_labels(row_number);
    }
    if (head_->input() == HeadInput::scaled_row) {
      auto& [features, values] = scratch.wide_scaled;
      linear_->scale_row(block.x, at, scratch.panels.of_wide_row, features, values);
      given.linear = {};
      given.features = features;
      given.values = values;
    }
    head_->score(given, {scratch.head, progress});
    if (calibration_) calibration_->apply(out);
  } else {
    for (std::size_t label = 0; label < out.size(); ++label) {
      out[label] = linear_score(as_index(label), z[label]);
    }
  }
  for (std::size_t label = 0; label < out.size(); ++label) {
    if (std::isfinite(out[label])) continue;
    throw ScoreError(row_number, name_or_number(*label_names_, as_index(label)), out[label]);
  }
}

void BlockScorer::append_reached(std::span<const double> scores, BinaryMatrix& found) const {
  for (std::size_t label = 0; label < scores.size(); ++label) {
    if (scores[label] >= thresholds_.data()[label]) {
      found.column.push_back(static_cast<LabelId>(label));
    }
  }
  found.end_row();
}

/// From panels directly to bits: scores are never stored.
BinaryMatrix BlockScorer::predict_panels(const RowRange& given, Scratch& scratch,
                                         Progress& progress) const {
  const Panels& panels = linear_->panels();
  const RowRange block = begin(given, scratch);
  scratch.reached.resize(as_size(block.count() * panels.count));
  for_each_panel(block, scratch, progress, [&](Index panel) {
    reached_thresholds(block.count(), panels.width(panel), scratch.panels.z.data(),
                       thresholds_.data() + panels.first(panel), panels.count,
                       scratch.reached.data() + panel);
  });
  BinaryMatrix found{.cols = labels_};
  const std::uint64_t* words = scratch.reached.data();
  for (Index row = 0; row < block.count(); ++row, words += panels.count) {
    if (scratch.is_beyond[as_size(row)] != 0) {
      scratch.scores.resize(as_size(labels_));
      score_wide(block, row, scratch, progress, scratch.scores);
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

BinaryMatrix BlockScorer::predict(const RowRange& block, Scratch& scratch,
                                  Progress& progress) const {
  if (!head_) return predict_panels(block, scratch, progress);
  scratch.scores.resize(as_size(block.count() * labels_));
  score(block, scratch, progress, scratch.scores.data());
  BinaryMatrix found{.cols = labels_};
  for (Index row = 0; row < block.count(); ++row) {
    append_reached(row_of(scratch.scores.data(), row, labels_), found);
  }
  return found;
}

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#pragma once

#include "model/head_scores.h"
#include "model/panel_scores.h"

#include <mugrad/linalg/binary_matrix.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace mugrad {

/// Scores, or predicts labels, with one model, a block of rows at a time. Linear scores go from
/// panel to panel through a link; whatever else a head makes scores of, it is given row by row.
/// Many threads may use one, each with a scratch of its own.
class BlockScorer {
 public:
  /// What a thread works with.
  struct Scratch {
    PanelScores::Scratch panels;
    std::vector<double> linear;  ///< scores of a block for all panels, where a head wants them
    std::vector<double> scores;  ///< of labels, where a head gives them and none but they are asked
    std::vector<std::uint64_t> reached;  ///< a row of words per row, a word per panel
    HeadScratch head;
    std::vector<char> is_beyond;      ///< whether a row of the block leaves the range of double
    bool has_beyond = false;          ///< whether any does
    std::vector<long double> wide;    ///< linear scores of such a row
    std::vector<FeatureId> features;  ///< of a scaled row, where a head wants it
    std::vector<double> values;
    std::vector<long double> wide_values;
  };

  /// `head` is null where a label's score is its linear score, through the logistic function where
  /// `is_logistic`.
  struct Parts {
    std::shared_ptr<const PanelScores> linear;
    std::shared_ptr<const std::vector<std::string>> label_names;
    std::unique_ptr<HeadScores> head;
    bool is_logistic;
  };
  BlockScorer(Parts parts, const std::vector<double>& thresholds);

  const PanelScores& linear() const noexcept { return *linear_; }
  Index labels() const noexcept { return labels_; }
  Scratch scratch() const;

  /// A row of labels per row. Throws ScoreError where one is not finite.
  void score(const RowRange& block, Scratch& scratch, Progress& progress, double* out) const;
  /// The labels whose scores reach their thresholds. Throws as `score`.
  BinaryMatrix predict(const RowRange& block, Scratch& scratch, Progress& progress) const;

 private:
  /// Scales the rows of a block; none of them leaves the range of double so far.
  void begin(const RowRange& block, Scratch& scratch) const;
  /// take(panel) for all panels, with the panel's scores in scratch.z. Requires: `begin` has seen
  /// them.
  template <class Take>
  void for_each_panel(const RowRange& block, Scratch& scratch, Progress& progress,
                      const Take& take) const;
  void copy_panels(const RowRange& block, Scratch& scratch, Progress& progress, double* out) const;
  void apply_head(const RowRange& block, Scratch& scratch, Progress& progress, double* out) const;
  /// Those of a row that leaves the range of double. Throws ScoreError when they do, too.
  void score_wide(const Features& x, Index row, Scratch& scratch, Progress& progress,
                  std::span<double> out) const;
  BinaryMatrix predict_panels(const RowRange& block, Scratch& scratch, Progress& progress) const;
  /// Ends a row with the labels whose scores reach their thresholds.
  void append_reached(std::span<const double> scores, BinaryMatrix& found) const;

  Index labels_;
  std::shared_ptr<const PanelScores> linear_;
  std::shared_ptr<const std::vector<std::string>> label_names_;
  std::unique_ptr<HeadScores> head_;
  bool is_logistic_;
  AlignedBuffer<double> thresholds_;
};

}  // namespace mugrad

// SPDX-License-Identifier: MIT
#pragma once

#include "model/calibrated_scores.h"
#include "model/head_scores.h"
#include "model/panel_scores.h"

#include <mugrad/linalg/sparse_matrix.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace mugrad {

/// Scores, or predicts labels, with one model, one block of rows at a time. Linear scores are
/// computed panel by panel through a link; other heads receive their input block by block. Several
/// threads may use one BlockScorer, each with its own scratch.
class BlockScorer {
 public:
  /// A scaled row, if the head needs it.
  template <class Real>
  struct ScaledRow {
    std::vector<FeatureId> features;
    std::vector<Real> values;
  };

  /// The scratch memory of a thread.
  struct Scratch {
    PanelScores::Scratch panels;
    std::vector<double> linear;  ///< scores of a block for all panels, if the head needs them
    std::vector<double> scores;  ///< of labels, if the head computes them for predictions
    std::vector<std::uint64_t> reached;  ///< one row of words per row, one word per panel
    HeadScratch head;
    std::vector<char> is_beyond;        ///< whether a row of the block overflows double
    bool has_beyond = false;            ///< whether any does
    std::vector<long double> wide;      ///< linear scores of such a row
    std::vector<HeadRow<double>> rows;  ///< of a block, as input of the head
    std::vector<ScaledRow<double>> scaled;
    ScaledRow<long double> wide_scaled;
  };

  /// `head` is null if the score of a label is its linear score, through the logistic function if
  /// `is_logistic`. `calibration` may be null; linear scores are calibrated before that function.
  struct Parts {
    std::shared_ptr<const PanelScores> linear;
    std::shared_ptr<const std::vector<std::string>> label_names;
    std::shared_ptr<const HeadScores> head;
    std::shared_ptr<const CalibratedScores> calibration;
    bool is_logistic;
  };
  BlockScorer(Parts parts, const std::vector<double>& thresholds);

  const PanelScores& linear() const noexcept { return *linear_; }
  Index labels() const noexcept { return labels_; }
  Scratch scratch() const;

  /// One row of labels per row. Throws ScoreError if a score is not finite.
  void score(const RowRange& block, Scratch& scratch, Progress& progress, double* out) const;
  /// The labels whose scores reach their thresholds. Throws as `score`.
  BinaryMatrix predict(const RowRange& block, Scratch& scratch, Progress& progress) const;

 private:
  /// Scales the rows of a block and marks them as finite in double. Returns them as represented,
  /// for all functions below.
  RowRange begin(const RowRange& block, Scratch& scratch) const;
  /// Calls take(panel) for all panels, with the panel's scores in scratch.z. Requires: `begin` was
  /// called for the block.
  template <class Take>
  void for_each_panel(const RowRange& block, Scratch& scratch, Progress& progress,
                      const Take& take) const;
  void copy_panels(const RowRange& block, Scratch& scratch, Progress& progress, double* out) const;
  void apply_head(const RowRange& block, Scratch& scratch, Progress& progress, double* out) const;
  /// The rows of a block that stay in the range of double, as the head asks for them, into
  /// scratch.rows; their scores go to `out`, where those of the others are 0 so far.
  void gather_rows(const RowRange& block, Scratch& scratch, double* out) const;
  /// Scores row `row` of a block, which overflows double. Throws ScoreError if the result is not
  /// finite either.
  void score_wide(const RowRange& block, Index row, Scratch& scratch, Progress& progress,
                  std::span<double> out) const;
  /// The score of a label whose head is a link.
  double linear_score(Index label, long double z) const;
  BinaryMatrix predict_panels(const RowRange& block, Scratch& scratch, Progress& progress) const;
  /// Ends a row with the labels whose scores reach their thresholds.
  void append_reached(std::span<const double> scores, BinaryMatrix& found) const;

  Index labels_;
  std::shared_ptr<const PanelScores> linear_;
  std::shared_ptr<const std::vector<std::string>> label_names_;
  std::shared_ptr<const HeadScores> head_;
  std::shared_ptr<const CalibratedScores> calibration_;
  bool is_logistic_;
  AlignedBuffer<double> thresholds_;
};

}  // namespace mugrad

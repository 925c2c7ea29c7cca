// SPDX-License-Identifier: MIT
#pragma once

#include "support/label_rows.h"

#include <mugrad/core/random.h>
#include <mugrad/metric/evaluate.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace mugrad::testing {

/// A row and a label of which it is known whether the row has it.
struct KnownPair {
  double score = 0;
  bool is_true = false;
};

/// Random probabilities with ties, truth, and unknown labels; the last row knows nothing.
struct RandomRows {
  Matrix<double> scores;
  BinaryMatrix truth, unknown;

  explicit RandomRows(std::uint64_t seed) {
    RandomStream random(seed, "rows");
    const auto labels = static_cast<Index>(2 + random.below(40));
    scores = Matrix<double>(30, labels);
    truth.cols = unknown.cols = labels;
    const double levels = seed % 2 == 0 ? 20 : 1e9;
    for (Index row = 0; row < scores.rows(); ++row) {
      for (Index label = 0; label < labels; ++label) {
        scores(row, label) = std::floor(levels * random.uniform()) / levels;
        const bool is_true = random.uniform() < scores(row, label) * scores(row, label);
        const bool is_unknown = random.uniform() < 0.2 || row + 1 == scores.rows();
        if (is_unknown) {
          unknown.column.push_back(static_cast<LabelId>(label));
        } else if (is_true) {
          truth.column.push_back(static_cast<LabelId>(label));
        }
      }
      truth.end_row();
      unknown.end_row();
    }
  }

  Evaluation evaluated(const EvaluateOptions& options) const {
    return evaluate(scores, truth, options, &unknown);
  }

  /// The pairs of a label, or of all.
  std::vector<KnownPair> known_pairs(LabelId only = -1) const {
    std::vector<KnownPair> pairs;
    for (Index row = 0; row < scores.rows(); ++row) {
      for (Index column = 0; column < scores.cols(); ++column) {
        const auto label = static_cast<LabelId>(column);
        if (std::ranges::binary_search(unknown.row(row), label)) continue;
        if (only >= 0 && only != label) continue;
        pairs.push_back({.score = scores(row, column),
                         .is_true = std::ranges::binary_search(truth.row(row), label)});
      }
    }
    return pairs;
  }

  /// The same rows from last to first.
  RandomRows reversed() const {
    RandomRows result = *this;
    result.truth = {.cols = truth.cols, .row_start = {0}, .column = {}};
    result.unknown = result.truth;
    for (Index row = 0; row < scores.rows(); ++row) {
      const Index from = scores.rows() - 1 - row;
      std::ranges::copy(scores.row(from), result.scores.row(row).begin());
      const auto append = [&](const BinaryMatrix& all, BinaryMatrix& to) {
        to.column.insert(to.column.end(), all.row(from).begin(), all.row(from).end());
        to.end_row();
      };
      append(truth, result.truth);
      append(unknown, result.unknown);
    }
    return result;
  }
};

}  // namespace mugrad::testing

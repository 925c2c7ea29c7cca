// SPDX-License-Identifier: MIT
#pragma once

#include "data_arguments.h"
#include "session.h"

#include <mugrad/model/model.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace mugrad::cli {

/// The model's thresholds, or the given one for every label. Throws UsageError if that is not a
/// possible score of the model: a probability, or a finite number.
std::vector<double> thresholds_for(const Model& model, std::optional<double> given);

/// Some rows of the data with their scores.
struct ScoredBlock {
  Index first_row;  ///< number of the first of them
  const ModelInput& input;
  const Matrix<double>& scores;  ///< may have more rows than the block

  Index rows() const noexcept { return input.x.rows(); }
};

/// How scores are processed: the rank that scored a block formats it as pieces of text, and the
/// first rank takes those of all blocks in order.
struct ScoredWork {
  using Take = std::function<void(std::string_view)>;
  std::function<void(const ScoredBlock&, const Take&)> tell;
  Take take;
  /// Whether to count the rows that the model was trained on, for ScoredData::seen.
  bool counts_seen = false;
};

/// The result of for_each_scored_block.
struct ScoredData {
  Index rows = 0;  ///< known to the first rank
  std::string labels_from;
  SeenRows seen;  ///< by the model's sample, if counted; known to the first rank
};

/// Reads and scores data block by block, with progress shown as `what`. Ranks share the blocks.
/// Memory does not grow with the rows. Labels as in ModelInputReader.
ScoredData for_each_scored_block(const DataArguments& arguments, const Model& model,
                                 bool with_labels, std::string_view what, const Session& session,
                                 const ScoredWork& work);

}  // namespace mugrad::cli

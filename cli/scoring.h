// SPDX-License-Identifier: MIT
#pragma once

#include "data_arguments.h"
#include "session.h"

#include <mugrad/model/model.h>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace mugrad::cli {

/// The model's thresholds, or the one given for every label. Throws UsageError when that is not
/// a score that the model can give: a probability, or a finite number.
std::vector<double> thresholds_for(const Model& model, std::optional<double> given);

/// Some rows of the data with their scores.
struct ScoredBlock {
  Index first_row;  ///< where they begin among all
  const ModelInput& input;
  const Matrix<double>& scores;  ///< may have more rows than there are

  Index rows() const noexcept { return input.x.rows(); }
};

/// What becomes of scores: whoever scored a block tells of it in pieces of text, and those of all
/// blocks are taken in order, by the first rank where there are many.
struct ScoredWork {
  using Take = std::function<void(std::string_view)>;
  std::function<void(const ScoredBlock&, const Take&)> tell;
  Take take;
};

/// What for_each_scored_block read.
struct ScoredData {
  Index rows = 0;  ///< known to the first rank
  std::string labels_from;
};

/// Reads data and scores them, both a block at a time, with progress shown as `what`. Ranks share
/// the blocks. Memory does not grow with the rows. Labels as ModelInputReader has them.
ScoredData for_each_scored_block(const DataArguments& arguments, const Model& model,
                                 bool with_labels, std::string_view what, const Session& session,
                                 const ScoredWork& work);

}  // namespace mugrad::cli

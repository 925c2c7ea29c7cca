// SPDX-License-Identifier: MIT
#pragma once

#include "data_arguments.h"
#include "session.h"

#include <mugrad/model/model.h>

#include <functional>
#include <optional>
#include <span>

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

/// Reads data and scores them, both a block at a time, and calls work(block) for each, in order,
/// with progress shown as `what`. Memory does not grow with the rows. Labels as
/// ModelInputReader has them. Returns how many rows there were.
Index for_each_scored_block(const DataArguments& arguments, const Model& model, bool with_labels,
                            std::string_view what, const Session& session,
                            const std::function<void(const ScoredBlock&)>& work);

}  // namespace mugrad::cli

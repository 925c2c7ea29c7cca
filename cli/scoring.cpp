// SPDX-License-Identifier: MIT
#include "scoring.h"

#include "progress.h"

#include <mugrad/core/error.h>
#include <mugrad/model/scorer.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace mugrad::cli {

std::vector<double> thresholds_for(const Model& model, std::optional<double> given) {
  if (!given) return model.contents().thresholds;
  if (has_unit_scores(model.contents().head) && !(*given >= 0 && *given <= 1)) {
    throw UsageError(fmt::format("--threshold must be in [0, 1], got {}", *given));
  }
  if (!std::isfinite(*given)) {
    throw UsageError(fmt::format("--threshold must be finite, got {}", *given));
  }
  return std::vector<double>(static_cast<std::size_t>(model.labels()), *given);
}

Index for_each_scored_block(const DataArguments& arguments, const Model& model, bool with_labels,
                            std::string_view what, const Session& session,
                            const std::function<void(const ScoredBlock&)>& work) {
  ModelInputReader reader(arguments, model, with_labels, session);
  Scorer scorer(model, session.threads);
  Matrix<double> scores(BlockReader::kRows, model.labels());
  ProgressLine progress(what, !session.quiet);
  Index rows = 0;
  for (ModelInput input; reader.next(input); rows += input.x.rows()) {
    scorer.scores(input.x, 0, input.x.rows(), scores);
    work({rows, input, scores});
    progress.update(reader.share_read());
  }
  return rows;
}

}  // namespace mugrad::cli

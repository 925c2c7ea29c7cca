// SPDX-License-Identifier: MIT
#include "scoring.h"

#include "progress.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace mugrad::cli {

std::vector<double> thresholds_for(const Model& model, std::optional<double> given) {
  if (!given) return model.contents().thresholds;
  if (model.contents().link == Link::logistic && !(*given >= 0 && *given <= 1)) {
    throw UsageError(fmt::format("--threshold must be in [0, 1], got {}", *given));
  }
  if (!std::isfinite(*given)) {
    throw UsageError(fmt::format("--threshold must be finite, got {}", *given));
  }
  return std::vector<double>(static_cast<std::size_t>(model.labels()), *given);
}

std::string thresholds_text(const std::vector<double>& thresholds) {
  const auto [least, most] = std::ranges::minmax(thresholds);
  return least == most ? fmt::format("{}", least)
                       : fmt::format("one per label, {} to {}", least, most);
}

void for_each_scored_row(const Model& model, const Features& x, std::string_view what,
                         const Session& session,
                         const std::function<void(Index, std::span<const double>)>& work) {
  constexpr Index kBlock = 2048;
  ProgressLine progress(what, !session.quiet);
  for (Index begin = 0; begin < x.rows(); begin += kBlock) {
    const Index end = std::min(begin + kBlock, x.rows());
    const Matrix<double> scores = model.scores(x, begin, end, session.threads);
    for (Index row = begin; row < end; ++row) work(row, scores.row(row - begin));
    progress.update(static_cast<double>(end) / static_cast<double>(x.rows()));
  }
}

}  // namespace mugrad::cli

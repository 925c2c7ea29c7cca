// SPDX-License-Identifier: MIT
#include "scoring.h"

#include "core/input/input_name.h"
#include "progress.h"
#include "scored_rows.h"

#include <mugrad/core/error.h>
#include <mugrad/model/scorer.h>

#include <fmt/format.h>

namespace mugrad::cli {

std::vector<double> thresholds_for(const Model& model, std::optional<double> given) {
  if (!given) return model.contents().thresholds;
  const ScoreRange range = score_range(model.contents());
  if (!range.contains(*given)) {
    throw UsageError(fmt::format("--threshold must be {}, got {}", range.limits(), *given));
  }
  return std::vector<double>(as_size(model.labels()), *given);
}

namespace {

Index sum_of(const std::vector<std::string>& numbers) {
  Index sum = 0;
  for (const auto& number : numbers) sum += std::stoll(number);
  return sum;
}

}  // namespace

ScoredData for_each_scored_block(const DataArguments& arguments, const Model& model,
                                 bool with_labels, std::string_view what, const Session& session,
                                 const ScoredWork& work) {
  const Ranks& ranks = session.ranks;
  const Index block_rows = ranks.are_launched() ? scored_rows(model.labels(), ranks.size())
                                                : scored_rows(model.labels());
  ModelInputReader reader(arguments, model, with_labels, session, block_rows);
  Scorer scorer(model, session.threads);
  Matrix<double> scores(block_rows, model.labels());
  ProgressLine progress(what, !session.quiet && ranks.is_first());
  Index rows = 0;
  SeenRows seen;
  bool is_over = false;
  for (Index first_block = 0; !is_over; first_block += ranks.size()) {
    std::string text;
    for (int rank = 0; rank < ranks.size() && !is_over; ++rank) {
      if (rank != ranks.rank()) {
        is_over = !reader.skip();
        continue;
      }
      ModelInput input;
      is_over = !reader.next(input);
      if (is_over) break;
      // The blocks of a pipe may have fewer rows, and then there is one process.
      const Index first_row = ranks.size() > 1 ? (first_block + rank) * block_rows : rows;
      try {
        scorer.scores(input.x, 0, input.x.rows(), scores);
      } catch (const ScoreError& error) {
        throw InputError(fmt::format("{}: row {}: {}", input_name(arguments.data),
                                     first_row + error.row() + 1, error.reason()));
      }
      const ScoredBlock block{first_row, input, scores};
      work.tell(block, [&](std::string_view piece) { text += piece; });
      rows += input.x.rows();
      if (!work.counts_seen) continue;
      const SeenRows more = seen_rows(model.contents().trained_on, input.x, 0, input.x.rows());
      seen.compared += more.compared;
      seen.seen += more.seen;
    }
    if (ranks.are_launched()) {
      for (const auto& part : ranks.collect(text)) work.take(part);
    } else if (!text.empty()) {
      work.take(text);
    }
    progress.update(reader.share_read());
  }
  if (ranks.are_launched()) {
    for (Index* const number : {&rows, &seen.compared, &seen.seen}) {
      *number = sum_of(ranks.collect(std::to_string(*number)));
    }
  }
  return {rows, reader.labels_from(), seen};
}

}  // namespace mugrad::cli
